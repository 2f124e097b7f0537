------------------------------- MODULE HourClock -------------------------------
EXTENDS Naturals
VARIABLE hr
HCini == hr \in (1 .. 12)
HCnxt == hr' = IF hr # 12 THEN hr + 1 ELSE 1
HC == /\ HCini
      /\ [][HCnxt]_hr
      /\ WF_hr(HCnxt)
TypeInvariance == []HCini
Always == \A h \in 1..12 : []<>(hr = h)
Leads == (hr = 3) ~> (hr = 7)
Eventually == <>(hr = 12) /\ <>[](hr \in 1..12)
--------------------------------------------------------------------------------
THEOREM HC => []HCini
=================================================================================
