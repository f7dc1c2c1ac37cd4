"""Clauses asked of hands: findings, coverage, and how two audits differ."""
