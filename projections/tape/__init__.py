"""Cues of hands, acts and findings on a camera's recording, as WebVTT or as an edit decision list."""
