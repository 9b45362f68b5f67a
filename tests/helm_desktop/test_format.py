import pytest

from helm_desktop import format as fmt


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.003, "3.00e-3"),
        ("1.5e-3", "1.50e-3"),
        (1.0, "1.0"),
        (1, "1"),
        (0.412, "0.412"),
        (212, "212"),
        (6123.0, "6.1k"),
        (9999, "9999"),
        (20000, "20k"),
        (4.2e6, "4.2M"),
        (-0.5, "-0.5"),
        (0.0, "0.0"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (None, ""),
        ("words", "words"),
    ],
)
def test_that_numbers_are_terse(value: float | str | None, words: str) -> None:
    assert fmt.number(value) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (0.2, "200 ms"),
        (38, "38 s"),
        (70, "1 min 10 s"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
        (-1, "–"),
    ],
)
def test_that_durations_have_two_parts_at_most(seconds: float, words: str) -> None:
    assert fmt.duration(seconds) == words


def test_that_the_rest_reads_as_on_the_drawing() -> None:
    assert fmt.step(1260) == "1,260"
    assert fmt.percent(0.7) == "70%"
    assert fmt.size(21_000) == "21 KB"
    assert fmt.size(1.4e9) == "1.4 GB"
    assert fmt.ago(24) == "24 s ago"
    assert fmt.clock(38) == "0:38"
    assert fmt.figure(1.13e9, "B") == "1.1 GB"
    assert fmt.figure(39_800.0, "B/s") == "40 KB/s"
    assert fmt.figure(float("nan"), "B") == "nan B"
    assert [fmt.figure(0.104, unit) for unit in ("s", "%", "")] == ["0.104 s", "0.104%", "0.104"]
    assert fmt.plural(1, "chart") == "1 chart"
    nouns = ("layer", "loss", "box", "branch", "entry", "key")
    assert [fmt.plural(2, noun) for noun in nouns] == [
        "2 layers",
        "2 losses",
        "2 boxes",
        "2 branches",
        "2 entries",
        "2 keys",
    ]
    assert fmt.duration(-1) == "–"
