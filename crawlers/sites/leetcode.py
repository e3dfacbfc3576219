"""LeetCode: the list of its problems, then each one's question, both by its GraphQL interface.

Its robots.txt and terms decide whether it may be asked at all; saved answers can be read anyway.
"""

import json
from collections.abc import Sequence

from thresher.crawlers.parsers import leetcode, leetcode_answers
from thresher.crawlers.site import Page, Seen, Site
from thresher.errors import SourceError

ENDPOINT = f"{leetcode.HOME}/graphql/"
AT_ONCE = 100  # problems on one page of the list
_LIST = """\
query problemsetQuestionList($skip: Int, $limit: Int) {
  problemsetQuestionList: questionList(
    categorySlug: "algorithms", skip: $skip, limit: $limit, filters: {}
  ) { total: totalNum questions: data { titleSlug paidOnly: isPaidOnly } }
}"""
_QUESTION = """\
query questionData($titleSlug: String!) {
  question(titleSlug: $titleSlug) {
    questionFrontendId title titleSlug content translatedContent isPaidOnly categoryTitle
    exampleTestcases exampleTestcaseList sampleTestCase metaData
    topicTags { name slug } codeSnippets { langSlug code }
  }
}"""


def start(keys: Sequence[str]) -> Sequence[Page]:
    """Return the questions of the named problems (``two-sum``), or the first page of the list."""
    return [_question(key) for key in keys] or [_list(0)]


def look(page: Page, body: bytes) -> Seen:
    """Tell a question from a page of the list, which leads to its free problems and to the next."""
    try:
        found = leetcode_answers.loaded(body)
    except SourceError:
        return Seen(is_statement=True)  # parsing it says what is wrong
    listed = leetcode_answers.questions(found)
    if not listed:
        return Seen(is_statement=b"problemsetQuestionList" not in page.body)
    free = [each.get("titleSlug") for each in listed if not each.get("paidOnly")]
    follow = [_question(slug) for slug in free if isinstance(slug, str)]
    skip = _skipped(page)
    if skip is not None and len(listed) == AT_ONCE:
        follow.append(_list(skip + AT_ONCE))
    return Seen(follow)


def _list(skip: int) -> Page:
    return _asked("problemsetQuestionList", _LIST, {"skip": skip, "limit": AT_ONCE})


def _question(slug: str) -> Page:
    return _asked("questionData", _QUESTION, {"titleSlug": slug})


def _asked(name: str, query: str, variables: dict[str, object]) -> Page:
    asked = {"operationName": name, "query": query, "variables": variables}
    return Page(ENDPOINT, json.dumps(asked).encode())


def _skipped(page: Page) -> int | None:
    """Return how many problems came before a page of the list."""
    try:
        return int(json.loads(page.body)["variables"]["skip"])
    except (ValueError, KeyError, TypeError):
        return None


SITE = Site(
    name=leetcode.NAME,
    home=leetcode.HOME,
    terms=leetcode.TERMS,
    start=start,
    look=look,
    parse=leetcode.parse,
)
