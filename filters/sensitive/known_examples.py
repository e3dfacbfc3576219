"""Words and numbers that stand for no person: those of documentation, tests and machines."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The last part of an e-mail address's domain.
TOP_LEVELS = _words("""
    com org net edu gov mil info biz io dev app me ai name email tech online cloud ac ad ae af ag al
    am ar at au az ba bd be bg bh bo br by ca cc ch ci cl cm cn co cr cu cy cz de dk do dz ec ee eg
    es eu fi fr gb ge gh gr gt hk hn hr hu id ie il in iq ir is it jo jp ke kg kh kr kw kz la lb li
    lk lt lu lv ly ma md mk mm mn mt mx my ng ni nl no np nz om pa pe ph pk pl pt py qa ro rs ru sa
    se sg si sk sn su sv th tj tm tn to tr tv tw tz ua ug uk us uy uz ve vn za zm zw
""")
# Words of an address that belong to no person.
NOBODY = _words("""
    user username users name test tests tester testing testemail foo bar baz qux spam eggs ham me
    you someone somebody nobody anyone anybody person john jane doe jdoe joe joebloggs smith jsmith
    bob alice carol charlie dave eve mallory trent email mail mailbox address info admin guest
    administrator support contact help helpdesk sales root postmaster webmaster hostmaster abuse
    security noreply reply donotreply git hg svn ssh example sample demo dummy fake first last
    firstname lastname dev devs team office press privacy legal jobs hello bugs bug list lists
    discuss discussion announce maintainers owner sender receiver recipient from to cc local
    localpart my your abc xyz valid invalid simple very long unusual customer client service
    services billing feedback notifications news newsletter marketing bot robot daemon mailer
    system student teacher employee
""")
# Words of a domain that belongs to nobody.
NOWHERE = _words("""
    example examples test tests testing domain mydomain yourdomain somedomain otherdomain foo bar
    baz qux spam eggs company mycompany yourcompany acme site mysite website host myhost server
    email dummy sample fake invalid localhost local placeholder nowhere somewhere abc xyz noreply
    leetcode hackerrank codewars mail provider internal corp
""")
# What the folder below ``/home`` is called on machines that belong to no person, and in paths
# that only begin like one.
PROFILES = (NOBODY - {"alice", "bob"}) | _words("""
    public default shared all runner runneradmin ubuntu debian vagrant jovyan docker app apps
    appuser node ec2 circleci travis jenkins gitlab github build builder web www data files file
    documents docs downloads desktop pictures images img photos music videos media src bin etc lib
    var tmp temp home dir directory folder path subdir project projects work workspace products
    page pages index some any other the conda developer linuxbrew
""")
# Numbers that banks, payment services and standards print in their documentation.
PUBLISHED = _words("""
    4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002
    5555555555554444 5105105105105100 5200828282828210 2223003122003222 2223000048400011
    378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424
    4917610000000000 5424000000000015 4539319503436467 4532015112830366
    GB82WEST12345698765432 GB29NWBK60161331926819 DE89370400440532013000 FR1420041010050500013M02606
    NL91ABNA0417164300 ES9121000418450200051332 IT60X0542811101000000123456 CH9300762011623852957
    BE68539007547034 AT611904300234573201 DK5000400440116243 FI2112345600000785 NO9386011117947
    SE4550000000058398257466 PL61109010140000071219812874 PT50000201231234567890154
    GR1601101250000000012300695 IE29AIBK93115212345678 SA0380000000608010167519
    LU280019400644750000 CZ6508000000192000145399
""")
