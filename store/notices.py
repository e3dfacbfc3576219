"""What a file's comments say against its project's licence: of another licence, or of no rights."""

import re
from collections.abc import Iterable

from thresher.store.licence import is_permissive

SPDX = re.compile(r"SPDX-License-Identifier:[ \t]*([^\n*\"']{1,200})", re.IGNORECASE)
_NAMES = (
    r"\bGNU (?:Lesser |Library |Affero |Free )?(?:General Public|Documentation) Licen[sc]e\b"
    r"|\bGNU [AL]?GPL\b|\b[AL]?GPL[ -]?(?:v|version|licen[sc]e)? ?\d"
    r"|\blicen[sc]ed?\b(?: under|:| =)? ?(?:the )?(?:terms of (?:the )?)?[AL]?GPL\b"
    r"|\b(?:released|distributed|available) under (?:the )?(?:terms of (?:the )?)?[AL]?GPL\b"
    r"|\b[AL]?GPL licen[sc]ed?\b"
    r"|\b(?:Mozilla|Eclipse|Server Side|European Union|Microsoft|IBM|Q) Public Licen[sc]e\b"
    r"|\bMPL[ -]?v?[12]\.\d|\b(?:Common Development and Distribution|Open Software|Elastic"
    r"|Business Source|Functional Source|Confluent Community|CeCILL|Artistic) Licen[sc]e\b"
    r"|\bcommons clause\b"
    r"|\b(?:gnu\.org/(?:copy|licen[sc])|(?:mozilla|eclipse)\.org/(?:MPL|legal))"
    r"|\bCreative Commons [\w -]{0,40}(?:NonCommercial|NoDerivat\w+|ShareAlike)"
    r"|\bCC[- ]BY-(?:NC|ND|SA)\b|\bcreativecommons\.org/licenses/by-(?:nc|nd|sa)\b"
)
NAMED = re.compile(_NAMES, re.IGNORECASE)
# With one of these to choose as well, a named licence restricts nobody.
_FREE = r"\b(?:MIT|BSD|Apache|ISC|Zlib|PSF)\b"
CHOICE = re.compile(
    rf"\bdual(?:ly)?[- ]licen[sc]|{_FREE}[^.]{{0,60}}\bor\b[^.]{{0,60}}(?:{_NAMES}|\b[ALM]?GPL\b)"
    rf"|(?:{_NAMES}|\b[ALM]?GPL\b)[^.]{{0,60}}\bor\b[^.]{{0,60}}{_FREE}",
    re.IGNORECASE,
)
_PASSING_ON = (
    r"(?:copying|distribution|reproduction|redistribution|disclosure|duplication|dissemination"
    r"|use of this (?:file|code|source|software|program|module|material))"
)
_DONE = r"(?:copied|reproduced|distributed|redistributed|disclosed|published|shared|sold)"
_PURPOSE = r"(?:academic|research|educational|teaching|personal|private|evaluation|demonstration)"
FORBIDDEN = re.compile(
    r"\b(?:proprietary (?:and|or|&|/) confidential|confidential (?:and|or|&|/) proprietary)\b"
    r"|\bproprietary (?:to|software of|information of|property of|licen[sc]e)\b"
    r"|(?-i:\bCONFIDENTIAL\b)|\b(?:strictly|company|highly|commercially) confidential\b"
    r"|\bconfidential(?: property of|[,;: -]{1,3}(?:do not|not for|internal use))\b"
    r"|\btrade secrets? (?:of|and)\b"
    r"|\b(?:un-?authori[sz]ed|unlicen[sc]ed) (?:copying|use|distribution|reproduction|disclosure)\b"
    rf"|\b{_PASSING_ON}\b.{{0,80}}\b(?:prohibited|forbidden|not (?:permitted|allowed))\b"
    r"|\b(?:this|these)(?: (?:file|code|source|source code|software|program|module|script|work"
    r"|material|materials|document|files))?(?: or .{0,40})? "
    rf"(?:may|must|can|shall|is|are) ?not (?:to )?be (?:used or |copied or )?{_DONE}\b"
    r"|\bno part of (?:this|the) .{0,80}\bmay be\b"
    r"|\byou (?:may|must|shall) not (?:use, )?"
    r"(?:copy|modify|distribute|redistribute|sell|share|reproduce|disclose)\b"
    r"|\bdo not (?:re)?distribute\b|\bnot (?:licen[sc]ed )?for (?:re)?distribution\b"
    r"|\bnot for commercial use\b|\bno commercial use\b"
    r"|\bnon-?commercial,? (?:(?:and|or|academic|educational|research|personal) )*"
    r"(?:uses?|purposes?|licen[sc]e)\b"
    rf"|\bfor {_PURPOSE}(?:(?:,? and|,? or|,) {_PURPOSE})* (?:use|purposes?) only\b"
    rf"|\bonly for {_PURPOSE}(?:(?:,? and|,? or|,) {_PURPOSE})* (?:use|purposes?)\b"
    r"|\bwithout (?:(?:the|prior|express|explicit|specific|written|our|any),? (?:and )?){1,5}"
    r"(?:permission|consent|authori[sz]ation|approval)\b",
    re.IGNORECASE,
)
# Of names, in permissive licences: no promotion without permission.
PROMOTION = re.compile(
    r"\b(?:endorse|promote|advertising|publicity)\b.{0,200}?\bwithout\b.{0,60}?"
    r"\b(?:permission|consent|authori[sz]ation)\b",
    re.IGNORECASE,
)
RESERVED = re.compile(r"\ball rights (?:are )?reserved\b", re.IGNORECASE)
GRANTED = re.compile(r"\blicen[sc]e|permi(?:t|ssion)|redistribut", re.IGNORECASE)
LONGEST = 20_000  # characters that are read


def against(comments: str, allowed: Iterable[str] = (), names: bool = True) -> str | None:
    """Return what comments say against a permissive licence, None where nothing does.

    That is an SPDX line or a name of another licence, unless there is a permissive one to choose
    as well; that copying is forbidden or for some purposes only; all rights reserved and none
    granted.

    Args:
        comments: the text, without the signs that mark comments; its lines matter to SPDX only.
        allowed: licences to be content with besides the permissive ones.
        names: whether the names of licences count.
    """
    text = comments[:LONGEST]
    also = tuple(allowed)
    for match in SPDX.finditer(text):
        if not is_permissive(match[1].strip(" -/.>"), also):
            return " ".join(match[0].split())
    said = PROMOTION.sub("", " ".join(SPDX.sub("", text).split()))
    named = NAMED.search(said) if names and not CHOICE.search(said) else None
    if found := FORBIDDEN.search(said) or named:
        return found[0]
    reserved = RESERVED.search(said)
    return reserved[0] if reserved and not GRANTED.search(said) else None
