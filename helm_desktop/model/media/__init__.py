"""Texts, images, sounds, tables, histograms and figures of a run."""
