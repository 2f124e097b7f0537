------------------------------ MODULE StripedSet ------------------------------
(* A hash set of two buckets, each with its own lock; resizing needs both.     *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Thread, Key
Bucket == {0, 1}
Hash(k, shift) == (k + shift) % 2
VARIABLES lock, bucket, shift, op, truth
vars == <<lock, bucket, shift, op, truth>>
Free == "free"
Idle == [do |-> "idle"]
Init == /\ lock = (0 :> Free @@ 1 :> Free)
        /\ bucket = [b \in Bucket |-> {}]
        /\ shift = 0
        /\ op = [t \in Thread |-> Idle]
        /\ truth = {}
Begin(t) == /\ op[t] = Idle
            /\ \E k \in Key, what \in {"add", "del", "has"} :
                 /\ lock[Hash(k, shift)] = Free
                 /\ lock' = [lock EXCEPT ![Hash(k, shift)] = t]
                 /\ op' = [op EXCEPT ![t] = [do |-> what, key |-> k, at |-> Hash(k, shift)]]
            /\ UNCHANGED <<bucket, shift, truth>>
Apply(t) ==
  LET o == op[t] IN
  /\ o.do \in {"add", "del", "has"}
  /\ bucket' = [bucket EXCEPT ![o.at] = CASE o.do = "add" -> @ \cup {o.key}
                                          [] o.do = "del" -> @ \ {o.key}
                                          [] OTHER -> @]
  /\ truth' = (IF o.do = "add" THEN truth \cup {o.key}
               ELSE IF o.do = "del" THEN truth \ {o.key}
               ELSE truth)
  /\ op' = [op EXCEPT ![t] = [do |-> "unlock", at |-> o.at]]
  /\ UNCHANGED <<lock, shift>>
Unlock(t) == /\ op[t].do = "unlock"
             /\ lock' = [lock EXCEPT ![op[t].at] = Free]
             /\ op' = [op EXCEPT ![t] = Idle]
             /\ UNCHANGED <<bucket, shift, truth>>
Rehash(t) == /\ op[t] = Idle
             /\ \A b \in Bucket : lock[b] = Free
             /\ shift' = 1 - shift
             /\ bucket' = [b \in Bucket |-> {k \in UNION {bucket[c] : c \in Bucket} : Hash(k, shift') = b}]
             /\ UNCHANGED <<lock, op, truth>>
Next == \E t \in Thread : Begin(t) \/ Apply(t) \/ Unlock(t) \/ Rehash(t)
Contents == bucket[0] \cup bucket[1]
Right == Contents = truth /\ bucket[0] \cap bucket[1] = {}
InPlace == \A b \in Bucket : \A k \in bucket[b] : Hash(k, shift) = b
===============================================================================
