//! The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md.
mod hexarena;

use hexarena::{quote, test_match, Bomb, Bot, Coord, Json, Match, Simulator};

struct Vectors;

impl Bot for Vectors {
    type State = Json;
    type Action = String;

    const NAME: &'static str = "vectors";

    fn new(game: &mut Match, initial: Json) -> Vectors {
        let draw = game.random.below(1 << 30);
        let Match { player_id, nb_players, nb_special_players, nb_turns_max, .. } = game;
        let Match { milliseconds_before_first_turn: before, milliseconds_between_turns: between, .. } = game;
        let number = |n: Option<i64>| n.map_or("null".to_string(), |n| n.to_string());
        eprintln!(
            r#"{{"call":"start","player_id":{player_id},"nb_players":{nb_players},"nb_special_players":{nb_special_players},"nb_turns_max":{nb_turns_max},"milliseconds_before_first_turn":{before},"milliseconds_between_turns":{between},"infos":{},"match":{},"seed":{},"draw":{draw},"digest":"{}"}}"#,
            game.players_info.len(),
            number(game.number),
            number(game.seed),
            digest(&initial)
        );
        Vectors
    }

    fn turn(&mut self, game: &mut Match, mut state: Json) -> Vec<String> {
        let (number, infos, limited) = (game.turn_number, game.players_info.len(), game.time_left().is_some());
        let digest = digest(&state);
        eprintln!(r#"{{"call":"turn","number":{number},"infos":{infos},"limited":{limited},"digest":"{digest}"}}"#);
        if let Ok(text) = state.take::<String>("print") {
            println!("{text}");
        }
        if let Ok(text) = state.take::<String>("fail") {
            panic!("{}", text);
        }
        if let Ok(mut debug) = state.take::<Json>("debug") {
            game.debug.text = debug.take("text").unwrap_or_default();
            if let Ok(Json::Object(values)) = debug.take("values") {
                let number = |(name, value)| Some((name, if let Json::Number(n) = value { n } else { return None }));
                game.debug.values.extend(values.into_iter().filter_map(number));
            }
            let names = debug.take::<Vec<String>>("nan").unwrap_or_default();
            game.debug.values.extend(names.into_iter().map(|name| (name, f64::NAN)));
            for mut cell in debug.take::<Vec<Json>>("cells").unwrap_or_default() {
                let color: String = cell.take("color").unwrap_or_default();
                let label: String = cell.take("label").unwrap_or_default();
                if let (Ok(q), Ok(r)) = (cell.take("q"), cell.take("r")) {
                    game.debug.mark(Coord { q, r }, &color, &label);
                }
            }
        }
        if let Ok(requests) = state.take::<Vec<Json>>("simulate") {
            simulate(game, requests).unwrap_or_else(|error| panic!("{error}"));
        }
        if let Ok(drawn @ Json::Object(_)) = state.take("drawn") {
            draw(drawn).unwrap_or_else(|error| panic!("{error}"));
        }
        vec![format!(r#"{{"echo":{number}}}"#)]
    }

    fn end(&mut self, _game: &Match, state: Json, winner: Option<i64>) {
        eprintln!(r#"{{"call":"end","winner":{},"digest":"{}"}}"#, winner.unwrap_or(-1), digest(&state));
    }
}

/// Makes requests, and reports the position after each, or the mistake.
fn simulate(game: &Match, requests: Vec<Json>) -> hexarena::Result<()> {
    let mut simulator = Simulator::new(game, "hexabomb")?;
    for mut request in requests {
        let done = if let Ok(actions) = request.take::<Vec<Json>>("step") {
            let answer =
                |json| if let Json::Array(actions) = json { Some(actions.iter().map(text).collect()) } else { None };
            simulator.step::<String>(&actions.into_iter().map(answer).collect::<Vec<_>>())
        } else if let Ok(name) = request.take::<String>("save") {
            simulator.save(&name)
        } else if let Ok(name) = request.take::<String>("restore") {
            simulator.restore(&name)
        } else {
            simulator.load(game)
        };
        match done.and_then(|()| simulator.state::<Json>()) {
            Ok(state) => {
                let Simulator { turn, over, winner, score, .. } = &simulator;
                let digest = digest(&state);
                eprintln!(
                    r#"{{"call":"simulate","turn":{turn},"over":{over},"winner":{winner},"score":{score:?},"digest":"{digest}"}}"#
                );
            }
            Err(error) => eprintln!(r#"{{"call":"simulate","error":{}}}"#, quote(&error.to_string())),
        }
    }
    Ok(())
}

/// Reports the numbers in a match that is drawn, in an order.
fn draw(mut drawn: Json) -> hexarena::Result<()> {
    let drawing: String = drawn.take("drawing")?;
    let (player, seed, bombs): (i64, _, Vec<Bomb>) = (drawn.take("player_id")?, drawn.take("seed")?, drawn.take("bombs")?);
    let (game, state) = test_match(&drawing, player as usize, seed, &bombs)?;
    let mut simulator = Simulator::new(&game, "hexabomb")?;
    simulator.load(&game)?;
    let mut numbers = vec![game.player_id, game.nb_players, game.turn_number, game.seed.unwrap_or(-1)];
    state.cells.iter().for_each(|c| numbers.extend([c.q, c.r, c.color]));
    state.characters.iter().for_each(|c| numbers.extend([c.id, c.color, c.q, c.r, c.bomb_count]));
    state.bombs.iter().for_each(|b| numbers.extend([b.color, b.range, b.delay, b.q, b.r]));
    eprintln!(r#"{{"call":"drawn","numbers":{numbers:?},"score":{:?}}}"#, simulator.score);
    Ok(())
}

/// Returns an action as JSON.
fn text(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(key, value)| format!("{}:{}", quote(key), text(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Json::String(string) => quote(string),
        Json::Number(number) => number.to_string(),
        _ => "null".to_string(), // actions have no others
    }
}

/// Returns the FNV-1a hash of a state.
fn digest(state: &Json) -> String {
    let mut bytes = Vec::new();
    add(&mut bytes, state);
    let hash = bytes.iter().fold(2_166_136_261_u32, |hash, &b| (hash ^ u32::from(b)).wrapping_mul(16_777_619));
    format!("{hash:08x}")
}

fn add(bytes: &mut Vec<u8>, json: &Json) {
    match json {
        Json::Null => bytes.push(b'n'),
        Json::Bool(value) => bytes.push(if *value { b't' } else { b'f' }),
        Json::Number(number) => {
            bytes.push(b'd');
            bytes.extend(number.to_be_bytes());
        }
        Json::String(text) => add_text(bytes, text),
        Json::Array(elements) => {
            bytes.push(b'[');
            elements.iter().for_each(|element| add(bytes, element));
            bytes.push(b']');
        }
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key);
            bytes.push(b'{');
            for (key, value) in members {
                add_text(bytes, key);
                add(bytes, value);
            }
            bytes.push(b'}');
        }
    }
}

fn add_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b's');
    bytes.extend(text.bytes());
    bytes.push(0xff);
}

fn main() -> std::process::ExitCode {
    hexarena::run::<Vectors>()
}
