"""The page in the pocket: a folder of files that tells on a phone, without a network, who posts what."""
