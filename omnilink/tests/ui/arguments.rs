#![allow(unused)]

struct Queue;

impl Queue {
    #[omnilink::action(Enqueue(elem = value, elem = value + 1))]
    fn given_twice(&self, value: u64) {}

    #[omnilink::action(Enqueue(value + 1))]
    fn by_position(&self, value: u64) {}

    #[omnilink::action(Enqueue(3))]
    fn literal_by_position(&self) {}

    #[omnilink::action(Enqueue(valeu))]
    fn misspelt(&self, value: u64) {}

    #[omnilink::action(Dequeue(ret))]
    fn result_without_name(&self) -> u64 {
        3
    }

    #[omnilink::action(Close(self))]
    fn self_without_name(&self) {}

    #[omnilink::action(Enqueue(elem = ))]
    fn without_value(&self, value: u64) {}

    #[omnilink::action(Enqueue(after elem))]
    fn after_misspelt(&self, value: u64) {}

    #[omnilink::action(Many(
        p00 = 0, p01 = 0, p02 = 0, p03 = 0, p04 = 0, p05 = 0, p06 = 0, p07 = 0, p08 = 0, p09 = 0,
        p10 = 0, p11 = 0, p12 = 0, p13 = 0, p14 = 0, p15 = 0, p16 = 0, p17 = 0, p18 = 0, p19 = 0,
        p20 = 0, p21 = 0, p22 = 0, p23 = 0, p24 = 0, p25 = 0, p26 = 0, p27 = 0, p28 = 0, p29 = 0,
        p30 = 0, p31 = 0, p32 = 0, p33 = 0, p34 = 0, p35 = 0, p36 = 0, p37 = 0, p38 = 0, p39 = 0,
        p40 = 0, p41 = 0, p42 = 0, p43 = 0, p44 = 0, p45 = 0, p46 = 0, p47 = 0, p48 = 0, p49 = 0,
        p50 = 0, p51 = 0, p52 = 0, p53 = 0, p54 = 0, p55 = 0, p56 = 0, p57 = 0, p58 = 0, p59 = 0,
        p60 = 0, p61 = 0, p62 = 0, p63 = 0, p64 = 0, p65 = 0
    ))]
    fn too_many(&self) {}
}

fn main() {}
