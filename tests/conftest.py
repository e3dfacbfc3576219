"""What all tests share."""

from hypothesis import settings

settings.register_profile("thresher", deadline=None)  # tests of ours never time anything
settings.load_profile("thresher")
