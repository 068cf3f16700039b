//! Scratch: duel A B games rules ms
use game::*;
use player::heuristic::*;
use player::*;
use std::time::{Duration, Instant};

fn make(spec: &str, seed: u64) -> Box<dyn Player> {
    let o = Options { seed, memory: 64 << 20, ..Options::default() };
    if let Some(rest) = spec.strip_prefix("h:") {
        let mut w = Weights::DEFAULT;
        for kv in rest.split(',').filter(|s| !s.is_empty()) {
            let (k, v) = kv.split_once('=').unwrap();
            let v: i32 = v.parse().unwrap();
            match k {
                "anchor" => w.anchor = v,
                "reach" => w.reach = v,
                "shared" => w.shared = v,
                "centre" => w.centre = v,
                "opening" => w.opening = v,
                "point" => w.point = v,
                _ => panic!("{k}"),
            }
        }
        return Box::new(HeuristicPlayer::with_weights(&o, w));
    }
    by_name(spec, &o).unwrap()
}

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let games: u64 = a[3].parse().unwrap();
    let rules = Rules::from_name(&a[4]).unwrap();
    let ms: u64 = a.get(5).map_or(100, |s| s.parse().unwrap());
    let (mut w, mut d, mut l, mut pts) = (0, 0, 0, 0i32);
    let mut slow = [Duration::ZERO; 2];
    let (mut total, mut moves) = ([Duration::ZERO; 2], [0u32; 2]);
    for g in 0..games {
        let starts: Vec<Piece> = rules.start_pieces().iter().collect();
        let start = (!starts.is_empty()).then(|| starts[(g / 2) as usize % starts.len()]);
        let mut p = Position::new(rules, start).unwrap();
        let mut players = [make(&a[1], g), make(&a[2], g + 1000)];
        let first = (g % 2) as usize;
        // random opening of 4 plies shared by a pair of games
        let mut r = make("random", g / 2 + 77);
        for _ in 0..4 {
            let m = r.choose(&p, &Limit::nodes(1)).mv;
            p.play(m);
        }
        while !p.is_over() {
            let me = (p.color().team() as usize) ^ first;
            let t = Instant::now();
            let rep = players[me].choose(&p, &Limit::time(Duration::from_millis(ms)));
            let e = t.elapsed();
            slow[me] = slow[me].max(e);
            total[me] += e;
            moves[me] += 1;
            p.try_play(rep.mv).unwrap();
        }
        let teams = [Team::One, Team::Two];
        let m = p.team_points(teams[first]) - p.team_points(teams[first ^ 1]);
        pts += m;
        if m > 0 {
            w += 1
        } else if m < 0 {
            l += 1
        } else {
            d += 1
        }
    }
    let s = (w as f64 + d as f64 / 2.0) / games as f64;
    println!(
        "{} vs {} {}: +{w} ={d} -{l} score {:.3} +- {:.3} margin {:.2} slowest {:?} mean {:?} {:?}",
        a[1],
        a[2],
        a[4],
        s,
        (s * (1.0 - s) / games as f64).sqrt(),
        pts as f64 / games as f64,
        slow,
        total[0] / moves[0].max(1),
        total[1] / moves[1].max(1)
    );
}
