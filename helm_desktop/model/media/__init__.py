"""The media of a run: texts, images, sounds, tables, histograms and figures."""
