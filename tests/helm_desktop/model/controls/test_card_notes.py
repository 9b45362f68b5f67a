"""The notes of cards."""

from __future__ import annotations

from helm_desktop.model.controls.card_notes import CardNote, CardNotes


def test_that_a_note_says_whether_it_is_another() -> None:
    notes = CardNotes()
    assert not notes.set("checkpoint", CardNote())
    assert notes.set("checkpoint", CardNote("step 188", "checkpoint"))
    assert not notes.set("checkpoint", CardNote("step 188", "checkpoint"))
    assert notes.of("checkpoint").mark == "checkpoint"
    assert notes.of("lr").text == ""
