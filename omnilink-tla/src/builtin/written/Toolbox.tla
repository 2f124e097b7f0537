-------------------------------- MODULE Toolbox --------------------------------
\* What the Toolbox gives to expressions that explore a trace. There is no such trace here: _TETrace is native.
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

_TEPosition ==
    LET length == Cardinality(DOMAIN _TETrace) level == TLCGet("level")
    IN IF level >= length THEN length ELSE IF level = 0 THEN 1 ELSE level
===============================================================================
