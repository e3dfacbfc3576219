"""The two forms of OpenAI's interface: completions, which go on, and chat, which answers."""

from collections.abc import Callable
from typing import Any, NamedTuple

from thresher.filters.models import Completion, Sampling, answers

MOST_STOPS = 4  # the original interface refuses more; the others are cut on our side
INSTRUCTION = (
    "Complete the following Python function. Answer with the whole of it, in one fenced block of"
    " code, and with nothing else.\n\n```python\n{}\n```"
)
Request = dict[str, Any]


class Form(NamedTuple):
    """A form of asking.

    Attributes:
        name: its address behind the base of the endpoint.
        prompted: gives the fields of a request that are the form's own, of prompt and sampling.
        read: gives the completion of an answer's body, the prompt and how it was sampled; the
            last argument says who answered. Raises ModelError where it is none.
    """

    name: str
    prompted: Callable[[str, Sampling], Request]
    read: Callable[[bytes, str, Sampling, str], Completion]

    def request(self, model: str, prompt: str, sampling: Sampling, seed: int) -> Request:
        """Return the body of a request for one sample of a prompt."""
        return {
            "model": model,
            **self.prompted(prompt, sampling),
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": seed,
        }


def _go_on(prompt: str, sampling: Sampling) -> Request:
    stem, _ = answers.split(prompt)
    return {"prompt": stem, "stop": sampling.stop[:MOST_STOPS], "logprobs": 1}


def _read_on(body: bytes, prompt: str, sampling: Sampling, origin: str) -> Completion:
    return answers.read(body, answers.split(prompt)[1], sampling.stop, origin)


def _converse(prompt: str, sampling: Sampling) -> Request:
    """Ask without stop sequences, which would end an answer inside its fence."""
    content = INSTRUCTION.format(prompt.rstrip())
    return {"messages": [{"role": "user", "content": content}], "logprobs": True}


def _read_answer(body: bytes, prompt: str, sampling: Sampling, origin: str) -> Completion:
    return answers.read(body, "", (), origin)


COMPLETIONS = Form("completions", _go_on, _read_on)
CHAT = Form("chat/completions", _converse, _read_answer)
