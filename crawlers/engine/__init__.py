"""The crawler of web sites: `crawl` keeps the books, a child process with Scrapy asks the sites."""
