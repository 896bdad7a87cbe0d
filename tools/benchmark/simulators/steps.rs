//! Plays turns of a simulator: a hundred times two rounds of all characters about a cell.
mod hexarena;

use hexarena::{Action, Bot, Match, Result, Simulator, State, DIRECTIONS};

struct Steps {
    simulator: Simulator,
}

impl Bot for Steps {
    type State = State;
    type Action = Action;

    fn new(game: &mut Match, _initial: State) -> Steps {
        let mut simulator = Simulator::new(game, "hexabomb").unwrap();
        simulator.save("start").unwrap();
        Steps { simulator }
    }

    fn turn(&mut self, _game: &mut Match, state: State) -> Vec<Action> {
        self.play(&state).unwrap();
        Vec::new()
    }
}

impl Steps {
    fn play(&mut self, state: &State) -> Result<()> {
        let mut walks = Vec::new();
        for direction in DIRECTIONS.iter().chain(&DIRECTIONS) {
            let mut walk = vec![Some(Vec::new()); state.score.len()];
            for c in &state.characters {
                let action = Action::Move { id: c.id, direction: *direction };
                walk[c.color as usize - 1].get_or_insert_with(Vec::new).push(action);
            }
            walks.push(walk);
        }
        for _ in 0..100 {
            self.simulator.restore("start")?;
            for walk in &walks {
                self.simulator.step(walk)?;
            }
        }
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    hexarena::run::<Steps>()
}
