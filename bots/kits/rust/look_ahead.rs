//! A bot for hexabomb that looks ahead: it tries bombs out, and drops those that pay.
//!
//!     hexarena play look_ahead.rs painter random random
//!     rustc -O --edition 2021 look_ahead.rs && ./look_ahead [HOST [PORT]]
mod hexabomb;
mod hexarena;

use hexarena::{Action, Bomb, Bot, Match, Result, Simulator, State};

const TURNS: usize = 5; // that it looks ahead: the turn of a bomb, and its longest delay
const GAIN: i64 = 8; // cells that a bomb must gain: it may gain more in a later turn
const LIFE: i64 = 8; // cells that a character is worth: while it is dead, it paints none for some turns

/// Paints, steps out of danger, and tries each bomb out before it drops one.
struct MyBot {
    simulator: Simulator,
}

impl Bot for MyBot {
    type State = State;
    type Action = Action;

    fn new(game: &mut Match, _initial: State) -> MyBot {
        MyBot { simulator: Simulator::new(game, "hexabomb").unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Returns at most one action for each of my characters.
    fn turn(&mut self, game: &mut Match, state: State) -> Vec<Action> {
        self.best(game, &state).unwrap_or_else(|error| panic!("{error}"))
    }

    fn end(&mut self, game: &Match, state: State, _winner: Option<i64>) {
        eprintln!("The match is over. I was player {}, the scores are {:?}", game.player_id, state.score);
    }
}

impl MyBot {
    fn best(&mut self, game: &mut Match, state: &State) -> Result<Vec<Action>> {
        self.simulator.load(game)?;
        self.simulator.save("now")?;
        let mut bombs: Vec<Bomb> = Vec::new();
        let mut best = walk(game, state, &bombs);
        let mut most = self.worth(game, &best)?;
        for c in hexabomb::Board::new(game, state).mine.iter().filter(|c| c.bomb_count > 0) {
            let before = bombs.clone();
            for delay in 2..=4 {
                if game.time_left().map_or(false, |left| left.as_millis() < 100) {
                    return Ok(best);
                }
                let mut tried = before.clone();
                tried.push(Bomb { color: c.color, range: 4, delay, q: c.q, r: c.r });
                let actions = walk(game, state, &tried);
                let worth = self.worth(game, &actions)?;
                if worth >= most + GAIN {
                    (best, bombs, most) = (actions, tried, worth);
                }
            }
        }
        game.debug.values.insert("lead in five turns".to_string(), most as f64);
        Ok(best)
    }

    /// Returns my lead after some turns, in which I act like this and then walk, and others stand.
    fn worth(&mut self, game: &mut Match, actions: &[Action]) -> Result<i64> {
        let me = game.player_id;
        self.simulator.restore("now")?;
        let mut actions = actions.to_vec();
        let mut state: State;
        let mut turns = 0;
        loop {
            let mut all = vec![None; self.simulator.score.len()];
            all[me as usize] = Some(actions);
            self.simulator.step(&all)?;
            state = self.simulator.state()?;
            turns += 1;
            if turns == TURNS || self.simulator.over {
                break;
            }
            actions = walk(game, &state, &[]);
        }
        let most = state.cell_count.iter().filter(|(&player, _)| player != me).map(|(_, &n)| n).max().unwrap_or(0);
        let life = |mine: bool| if mine { LIFE } else { -LIFE };
        let lives: i64 = state.characters.iter().filter(|c| c.alive).map(|c| life(c.color == me + 1)).sum();
        Ok(state.cell_count[&me] - most + lives)
    }
}

/// Returns actions that drop my bombs and lead the others out of danger, or to cells that are not mine.
fn walk(game: &mut Match, state: &State, bombs: &[Bomb]) -> Vec<Action> {
    let mut board = hexabomb::Board::new(game, state);
    let dropped = |c: &hexarena::Character| bombs.iter().find(|bomb| bomb.at() == c.at());
    for c in board.mine.clone() {
        if let Some(bomb) = dropped(&c) {
            board.drop_bomb(&c, bomb.range, bomb.delay);
        }
    }
    for c in board.mine.clone() {
        let (here, safe) = (c.at(), &board.free - &board.danger);
        if dropped(&c).is_some() {
        } else if board.danger.contains(&here) {
            board.step(&c, game.first_step(here, &board.free, &safe, usize::MAX));
        } else {
            board.step(&c, game.first_step(here, &safe, &board.not_mine, usize::MAX));
        }
    }
    board.actions
}

fn main() -> std::process::ExitCode {
    hexarena::run::<MyBot>()
}
