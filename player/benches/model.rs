//! How long it takes to ask what is known of a position.

use criterion::{Criterion, criterion_group, criterion_main};
use player::bench;
use player::model::policy_net::Inputs;
use player::model::{Model, View};

fn model(criterion: &mut Criterion) {
    let model = Model::built_in();
    let positions = bench::positions().expect("a list");
    let mut each = |name: &str, ask: &dyn Fn(&game::Position)| {
        criterion.bench_function(name, |bencher| bencher.iter(|| positions.iter().for_each(ask)));
    };
    each("prior of all moves of 12 positions", &|position| {
        let scorer = model.prior.scorer(position.board(), position.color());
        let placements = position.board().placements(position.color());
        std::hint::black_box(placements.iter().map(|&placement| scorer.score(placement)).sum::<f32>());
    });
    each("evaluation of 12 positions", &|position| {
        let view = View::of(position.board(), position.in_play(), position.turn());
        std::hint::black_box(view.map(|view| model.evaluation.evaluate(&view)));
    });
    each("convolutional network of 12 positions", &|position| {
        let inputs = Inputs::of(position.board(), position.in_play(), position.color(), position.turn());
        std::hint::black_box(model.policy_net.evaluate(&inputs));
    });
}

criterion_group!(benches, model);
criterion_main!(benches);
