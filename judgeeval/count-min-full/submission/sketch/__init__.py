"""Count-Min 草图及其两个变体。"""
