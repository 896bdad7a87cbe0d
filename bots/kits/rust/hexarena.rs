// SPDX-License-Identifier: Apache-2.0
//! The kit for bots in Rust, which needs the standard library of 1.63 and nothing else.
//!
//! A bot implements [`Bot`], and each match gets a new one: `bot.rs` is an example, whose `main` returns
//! `hexarena::run::<MyBot>()`. [`USAGE`] has the arguments. Print with `eprintln!`; it goes to the bot's log.
#![allow(dead_code, unreachable_patterns)] // no bot uses everything; a Json may be anything

use std::collections::{hash_map::DefaultHasher, BTreeMap, HashSet, VecDeque};
use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime};
use std::{env, error::Error, fs, hash::Hasher, mem, net::TcpStream, panic, sync::Once, thread};

pub const USAGE: &str = "usage: bot [HOST [PORT]] [--name NAME] [--token TOKEN]
           [--role player|'special player'|visualization] [--stay] [--stdio]
The environment has defaults: BOT_HOST, BOT_PORT, BOT_NICKNAME, BOT_TOKEN, BOT_SEED (with --stay), BOT_STDIO=1.";

/// A result of the kit. Its error is an [`io::Error`] if the connection broke.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A player, special player or visualization of one match.
pub trait Bot: Sized {
    /// What a turn shows: [`State`] in hexabomb, elsewhere [`Json`] or a struct of `records!`.
    type State: FromJson;
    /// What to do, displayed as JSON: [`Action`] in hexabomb, elsewhere a string or a type of your own.
    type Action: Display;

    /// The name to log in with, if there is no other.
    const NAME: &'static str = "";

    /// Returns a bot for the match that starts.
    fn new(game: &mut Match, initial: Self::State) -> Self;

    /// Returns the actions of a turn. Those of a visualization are not sent.
    fn turn(&mut self, game: &mut Match, state: Self::State) -> Vec<Self::Action>;

    /// Is called after the last turn. The winner is None if no player won.
    fn end(&mut self, _game: &Match, _state: Self::State, _winner: Option<i64>) {}
}

/// Plays until there are no more matches. `main` returns the result.
pub fn run<B: Bot>() -> ExitCode {
    match panic::catch_unwind(|| Options::parse(B::NAME).and_then(|options| play::<B>(&options))) {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(error)) => eprintln!("{error}"),
        Err(_) => {} // the panic is printed
    }
    ExitCode::FAILURE
}

/// Declares structs that are read from JSON objects with the same keys, some with a method for the place q, r.
macro_rules! records {
    ($($(#[$about:meta])* $name:ident $($place:ident)? { $($key:ident: $type:ty $(= $absent:expr)?,)* })*) => { $(
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name { $(pub $key: $type,)* }
        impl FromJson for $name {
            fn from_json(mut json: Json) -> Result<Self> {
                Ok($name { $($key: json.take(stringify!($key))$(.or_else(|_| -> Result<$type> { Ok($absent) }))??,)* })
            }
        }
        $(impl $name { pub fn $place(&self) -> Coord { Coord { q: self.q, r: self.r } } })?
    )* };
}

/// The match that a bot plays.
pub struct Match {
    pub player_id: i64,  // -1 for a visualization
    pub nb_players: i64, // without special ones
    pub nb_special_players: i64,
    pub nb_turns_max: i64,
    pub milliseconds_before_first_turn: f64,
    pub milliseconds_between_turns: f64, // 0 at full speed
    pub initial_game_state: Json,
    pub players_info: Vec<PlayerInfo>, // empty unless for a visualization
    pub number: Option<i64>,           // in the series, from 1, if the bot stays
    pub seed: Option<i64>,             // of this player in this match, if the bot stays
    pub turn_number: i64,              // of the newest turn; -1 before the first
    pub debug: Debug,
    pub random: Random,
    received: Instant, // the newest turn
    starts: String,    // the GAME_STARTS
    newest: String,    // the newest TURN
}

impl Match {
    fn new(starts: &mut Json, text: &str) -> Result<Match> {
        let seed = starts.take("seed").ok();
        let seed_of_process = || env::var("BOT_SEED").ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as i64);
        Ok(Match {
            player_id: starts.take("player_id")?,
            nb_players: starts.take("nb_players")?,
            nb_special_players: starts.take("nb_special_players")?,
            nb_turns_max: starts.take("nb_turns_max")?,
            milliseconds_before_first_turn: starts.take("milliseconds_before_first_turn")?,
            milliseconds_between_turns: starts.take("milliseconds_between_turns")?,
            initial_game_state: starts.take("initial_game_state")?,
            players_info: starts.take("players_info").unwrap_or_default(),
            number: starts.take("match").ok(),
            seed,
            turn_number: -1,
            debug: Debug::default(),
            random: Random(seed.or_else(seed_of_process).unwrap_or_else(clock) as u64),
            received: Instant::now(),
            starts: text.to_string(),
            newest: text.to_string(),
        })
    }

    /// Returns any of the shortest ways over free cells to a goal at most `limit` steps away.
    pub fn nearest(&mut self, start: Coord, free: &Cells, goals: &Cells, limit: usize) -> Option<Way> {
        let turned = self.random.below(DIRECTIONS.len());
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([(start, None, 0)]);
        while let Some((goal, first, steps)) = queue.pop_front() {
            match first {
                Some(first) if goals.contains(&goal) => return Some(Way { first, goal, steps }),
                _ => {}
            }
            for &direction in DIRECTIONS.iter().cycle().skip(turned).take(DIRECTIONS.len()) {
                let next = goal.neighbour(direction);
                if steps < limit && free.contains(&next) && seen.insert(next) {
                    queue.push_back((next, first.or(Some(direction)), steps + 1));
                }
            }
        }
        None
    }

    /// Returns the first step of `nearest`.
    pub fn first_step(&mut self, start: Coord, free: &Cells, goals: &Cells, limit: usize) -> Option<Direction> {
        self.nearest(start, free, goals, limit).map(|way| way.first)
    }

    /// Returns the time until the turn ends, or None at full speed.
    pub fn time_left(&self) -> Option<Duration> {
        let turn = Duration::from_millis(self.milliseconds_between_turns as u64);
        (turn > Duration::ZERO).then(|| turn.saturating_sub(self.received.elapsed()))
    }
}

/// A shortest way to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub first: Direction, // its first step
    pub goal: Coord,
    pub steps: usize,
}

/// What spectators see of a bot's thoughts in a turn. It is empty again in the next one.
#[derive(Default)]
pub struct Debug {
    pub text: String,
    pub values: BTreeMap<String, f64>, // drawn as curves over the turns
    cells: Vec<String>,
}

impl Debug {
    /// Marks a cell with a colour, such as "#f80" or "red", and a label of a few characters. Both may be empty.
    pub fn mark(&mut self, Coord { q, r }: Coord, color: &str, label: &str) {
        self.cells.push(format!(r#"{{"q":{q},"r":{r},"color":{},"label":{}}}"#, quote(color), quote(label)));
    }

    /// Returns the member of a TURN_ACK and empties it. Drops the largest parts until the rest is small enough.
    fn take(&mut self) -> String {
        static WARN: Once = Once::new();
        let Debug { text, mut values, cells } = mem::take(self);
        values.retain(|_, value| value.is_finite()); // JSON has no others
        if text.is_empty() && values.is_empty() && cells.is_empty() {
            return String::new();
        }
        let values = join(values.iter().map(|(name, value)| format!("{}:{value}", quote(name))));
        let (text, cells) = (quote(&text), cells.join(","));
        let mut list = [format!("\"text\":{text}"), format!("\"cells\":[{cells}]"), format!("\"values\":{{{values}}}")];
        list.sort_by_key(String::len);
        let fits = |&n: &usize| list[..n].join(",").len() + "{}".len() <= DEBUG_LIMIT;
        let n = (0..=list.len()).rev().find(fits).unwrap_or(0);
        if n < list.len() {
            WARN.call_once(|| eprintln!("debug has more than {DEBUG_LIMIT} bytes: its largest parts are dropped"));
        }
        format!(r#","debug":{{{}}}"#, list[..n].join(","))
    }
}

/// A generator of random numbers, SplitMix64: the same ones for the same seed.
pub struct Random(u64);

impl Random {
    /// Returns a number below n, or 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

records! {
    /// A cell's axial position.
    #[derive(Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    Coord { q: i64, r: i64, }
}

/// A set of cells.
pub type Cells = HashSet<Coord>;

/// A direction: its name in actions, and what a step adds to q and r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction(pub &'static str, pub i64, pub i64);

#[rustfmt::skip]
pub const DIRECTIONS: [Direction; 6] = [
    Direction("x+", 1, 0), Direction("y+", 1, -1), Direction("z+", 0, -1),
    Direction("x-", -1, 0), Direction("y-", -1, 1), Direction("z-", 0, 1),
];

impl Coord {
    /// Returns the next place in a direction, which may not be on the board.
    pub fn neighbour(self, Direction(_, dq, dr): Direction) -> Coord {
        Coord { q: self.q + dq, r: self.r + dr }
    }

    /// Returns the number of steps to another place.
    pub fn distance(self, to: Coord) -> i64 {
        let (dq, dr) = (self.q - to.q, self.r - to.r);
        dq.abs().max(dr.abs()).max((dq + dr).abs())
    }

    /// Returns the next n places in a direction, up to the first that is not on the board.
    pub fn ray(self, along: Direction, n: i64, board: &Cells) -> impl Iterator<Item = Coord> + '_ {
        let line = std::iter::successors(Some(self), move |place| Some(place.neighbour(along))).skip(1);
        line.take(n.max(0) as usize).take_while(move |place| board.contains(place))
    }
}

// types: generated from protocol/netorcai/model.json

const METAPROTOCOL_VERSION: &str = "2.0.0";
const FRAME_LIMIT: usize = 16777215; // bytes of a message
const DEBUG_LIMIT: usize = 4096; // bytes of a turn's debug
const DEPTH_LIMIT: usize = 512; // arrays and objects inside each other

records! {
    /// A cell of the board.
    Cell at {
        q: i64, r: i64,
        color: i64, // 0 is neutral, otherwise player id plus one
    }

    /// A character of a player.
    Character at {
        id: i64,
        color: i64, // player id plus one
        q: i64, r: i64, alive: bool,
        revive_delay: i64, // turns until it can be revived; -1 while it is alive
        bomb_count: i64 = 1, // bombs that it holds; absent by the draft rules
    }

    /// A bomb that has not exploded yet.
    Bomb at {
        color: i64, // its owner's player id plus one
        range: i64, // reach in each direction, in cells
        delay: i64, // turns until it explodes; 1: in the next turn
        q: i64, r: i64,
    }

    /// The board after a turn.
    State {
        cells: Vec<Cell>, // all cells, by q, then r
        characters: Vec<Character>, // all characters, by id
        bombs: Vec<Bomb>, // all bombs, in the order in which they were dropped
        explosions: BTreeMap<i64, Vec<Coord>> = Default::default(), // exploded cells by their new colour; absent by the draft rules
        cell_count: BTreeMap<i64, i64>, // number of cells of each player, by player id
        score: BTreeMap<i64, i64>, // points of each player so far, by player id
    }

    /// A player, as visualizations see it.
    PlayerInfo {
        player_id: i64, nickname: String,
        remote_address: String, // host:port
        is_connected: bool,
    }
}

/// What a character does in a turn.
#[derive(Clone, Debug)]
pub enum Action {
    /// A step of a character to the next cell. id: the character.
    Move { id: i64, direction: Direction },
    /// A bomb that a character drops on its cell. id: the character. bomb_range, bomb_delay: 2 to 4; up to 100 for a special player.
    DropBomb { id: i64, bomb_range: i64, bomb_delay: i64 },
    /// The revival of a character where it died. id: the character.
    Revive { id: i64 },
    /// The revival of a character on a given cell, by the draft rules. id: the character.
    ReviveAt { id: i64, revive_q: i64, revive_r: i64 },
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Action::Move { id, direction } => {
                write!(f, r#"{{"id":{id},"movement":"move","direction":"{}"}}"#, direction.0)
            }
            Action::DropBomb { id, bomb_range, bomb_delay } => {
                write!(f, r#"{{"id":{id},"movement":"bomb","bomb_range":{bomb_range},"bomb_delay":{bomb_delay}}}"#)
            }
            Action::Revive { id } => write!(f, r#"{{"id":{id},"movement":"revive"}}"#),
            Action::ReviveAt { id, revive_q, revive_r } => {
                write!(f, r#"{{"id":{id},"movement":"revive","revive_q":{revive_q},"revive_r":{revive_r}}}"#)
            }
        }
    }
}

// end of types

/// What the command line and the environment say.
struct Options {
    host: String,
    port: String,
    name: String,
    token: String,
    role: String,
    stay: bool,
    stdio: bool,
}

impl Options {
    fn parse(name: &str) -> Result<Options> {
        let var = |name, default: &str| env::var(name).ok().filter(|v| !v.is_empty()).unwrap_or_else(|| default.into());
        let mut options = Options {
            host: var("BOT_HOST", "127.0.0.1"),
            port: var("BOT_PORT", "4242"),
            name: var("BOT_NICKNAME", &if name.is_empty() { var("USER", "bot") } else { name.into() }),
            token: var("BOT_TOKEN", ""),
            role: "player".into(),
            stay: env::var_os("BOT_SEED").is_some(),
            stdio: var("BOT_STDIO", "") == "1",
        };
        let mut places = vec![&mut options.port, &mut options.host];
        let mut args = env::args().skip(1);
        while let Some(arg) = args.next() {
            let split = |(option, value): (_, &str)| (option, Some(value.to_string()));
            let (option, given) = arg.split_once('=').map_or((arg.as_str(), None), split);
            let value = || given.or_else(|| args.next()).ok_or(format!("{option} needs a value\n{USAGE}"));
            match option {
                "--name" => options.name = value()?,
                "--token" => options.token = value()?,
                "--role" => options.role = value()?,
                "--stay" | "--stdio" if arg != option => return Err(format!("{option} has no value\n{USAGE}").into()),
                "--stay" => options.stay = true,
                "--stdio" => options.stdio = true,
                "--tls" => return Err("--tls: the standard library of Rust has no TLS".into()),
                _ => match places.pop() {
                    Some(place) if !arg.starts_with('-') => *place = arg,
                    _ => return Err(format!("what is {arg}?\n{USAGE}").into()),
                },
            }
        }
        Ok(options)
    }

    fn login(&self) -> String {
        let nickname: String = self.name.split_whitespace().collect::<Vec<_>>().join("_").chars().take(10).collect();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default(); // Linux tells of debuggers
        let debugger = status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"));
        let mut code = DefaultHasher::new(); // tells versions of a bot apart
        code.write(&env::current_exe().and_then(fs::read).unwrap_or_default());
        let members = [
            (true, format!(r#""message_type":"LOGIN","nickname":{},"role":{}"#, quote(&nickname), quote(&self.role))),
            (true, format!(r#""metaprotocol_version":"{METAPROTOCOL_VERSION}","language":"Rust""#)),
            (true, format!(r#""version":"{:x}""#, code.finish())),
            (!self.token.is_empty(), format!(r#""token":{}"#, quote(&self.token))),
            (self.stay, r#""stay":true"#.into()),
            (debugger, r#""debugger":true"#.into()),
        ];
        format!("{{{}}}", join(members.iter().filter(|(is_set, _)| *is_set).map(|(_, member)| member.clone())))
    }

    /// Returns how long to try to connect again. A server that is restarted knows a bot with a token.
    fn grace(&self) -> Duration {
        let is_patient = self.stay && !self.token.is_empty() && !self.stdio;
        if is_patient { Duration::from_secs(12 * 3600) } else { KEPT_SEAT }
    }
}

const KEPT_SEAT: Duration = Duration::from_secs(30); // for so long a server keeps a player's seat
const CONNECT_TIME: Duration = Duration::from_secs(10); // for each address; a server on a busy network takes a second

/// The connection: TCP, with a message's length before it, or standard input and output, a message in each line.
enum Wire {
    Tcp(BufReader<TcpStream>),
    Stdio(io::StdinLock<'static>, Box<dyn Write>),
}

impl Wire {
    /// Connects and logs in.
    fn open(options: &Options) -> Result<Wire> {
        let mut wire = if options.stdio {
            Wire::Stdio(io::stdin().lock(), claim_stdout()?)
        } else {
            let at = format!("{}:{}", options.host, options.port);
            let fail = |e: io::Error| io::Error::new(e.kind(), format!("no server at {at}: {e}; is hexarena running?"));
            let none = ErrorKind::AddrNotAvailable.into();
            let connect = |tried: io::Result<_>, to| tried.or_else(|_| TcpStream::connect_timeout(&to, CONNECT_TIME));
            let places = std::net::ToSocketAddrs::to_socket_addrs(&at).map_err(fail)?;
            let stream = places.fold(Err(none), connect).map_err(fail)?;
            stream.set_nodelay(true)?;
            Wire::Tcp(BufReader::new(stream))
        };
        wire.send(&options.login());
        loop {
            let (mut message, _) = wire.receive()?;
            match message.take::<String>("message_type")?.as_str() {
                "KICK" => return Err(kicked(options, message)),
                "LOGIN_ACK" => return Ok(wire),
                _ => {}
            }
        }
    }

    /// Returns the next message, and its text on one line.
    fn receive(&mut self) -> Result<(Json, String)> {
        let mut content = Vec::new();
        let closed = |e: io::Error| io::Error::new(e.kind(), format!("the server closed the connection: {e}"));
        let size = self.read(&mut content).map_err(closed)?;
        if size > FRAME_LIMIT {
            return Err(format!("a message of {size} bytes; the limit is {FRAME_LIMIT}: is it hexarena?").into());
        }
        let text = String::from_utf8_lossy(&content).replace('\n', " ");
        match Json::parse(&text) {
            Ok(json @ Json::Object(_)) => Ok((json, text)),
            Ok(_) => Err("the server's message is not a JSON object".into()),
            Err(error) => Err(format!("the server's message is not JSON: {error}").into()),
        }
    }

    /// Reads a message and returns its size. Of one that is too long it reads none or less.
    fn read(&mut self, content: &mut Vec<u8>) -> io::Result<usize> {
        let size = match self {
            Wire::Tcp(stream) => {
                let mut size = [0; 4];
                stream.read_exact(&mut size)?;
                let size = u32::from_le_bytes(size) as usize;
                stream.take(if size > FRAME_LIMIT { 0 } else { size as u64 }).read_to_end(content)?;
                size
            }
            Wire::Stdio(input, _) => {
                input.take(FRAME_LIMIT as u64).read_until(b'\n', content)?;
                content.len() + usize::from(!content.ends_with(b"\n"))
            }
        };
        let is_whole = content.len() == size || size > FRAME_LIMIT;
        is_whole.then_some(size).ok_or_else(|| ErrorKind::UnexpectedEof.into())
    }

    /// Sends a message in one write. If that fails, so does the next read, unless a KICK has arrived.
    fn send(&mut self, message: &str) {
        let line = format!("{message}\n");
        let size = (line.len() as u32).to_le_bytes();
        let _ = match self {
            Wire::Tcp(stream) => stream.get_mut().write_all(&[&size, line.as_bytes()].concat()),
            Wire::Stdio(_, output) => output.write_all(line.as_bytes()).and_then(|()| output.flush()),
        };
    }
}

/// Returns standard output. On Unix, what the bot prints goes to standard error from now on.
fn claim_stdout() -> io::Result<Box<dyn Write>> {
    #[cfg(unix)]
    {
        extern "C" {
            fn dup2(from: i32, to: i32) -> i32;
        }
        let output = std::os::unix::io::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
        // SAFETY: dup2 works on any numbers. The standard library has no function that redirects.
        match unsafe { dup2(2, 1) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(Box::new(fs::File::from(output))),
        }
    }
    #[cfg(not(unix))]
    Ok(Box::new(io::stdout()))
}

/// Returns the error that a KICK stands for: of io if the bot is to come back when the server does.
fn kicked(options: &Options, mut kick: Json) -> Box<dyn Error> {
    let reason: String = kick.take("kick_reason").unwrap_or_default();
    if reason == "netorcai abort" && options.grace() > KEPT_SEAT {
        return io::Error::new(ErrorKind::ConnectionAborted, format!("kicked: {reason}")).into();
    }
    let advice = "\nAsk the server's operator for your token and add --token TOKEN (or set BOT_TOKEN).";
    format!("kicked: {reason}{}", if reason.contains("token is needed") { advice } else { "" }).into()
}

fn play<B: Bot>(options: &Options) -> Result<()> {
    let mut wire = Wire::open(options)?;
    let mut current: Option<(Match, B)> = None;
    let mut finished = false; // the newest match is over
    loop {
        let (mut message, text) = match wire.receive() {
            Err(error) if error.is::<io::Error>() && finished && !options.stay => return Ok(()),
            Err(error) if error.is::<io::Error>() => {
                wire = reconnect(options, error)?;
                continue;
            }
            received => received?,
        };
        match message.take::<String>("message_type")?.as_str() {
            "GAME_STARTS" => {
                let mut game = Match::new(&mut message, &text)?;
                let key = |game: &Match| (game.player_id, game.number, game.seed);
                if current.as_ref().map_or(true, |(old, _)| key(old) != key(&game)) {
                    let initial = B::State::from_json(game.initial_game_state.clone())?;
                    let bot = B::new(&mut game, initial);
                    current = Some((game, bot));
                }
                finished = false;
            }
            "TURN" => {
                if let Some((game, bot)) = &mut current {
                    game.newest = text;
                    wire.send(&answer(options, game, bot, message)?);
                }
            }
            "GAME_ENDS" => {
                if let Some((game, mut bot)) = current.take() {
                    let winner = Some(message.take("winner_player_id")?).filter(|&id| id >= 0);
                    bot.end(&game, message.take("game_state")?, winner);
                    finished = true;
                }
            }
            "KICK" => match kicked(options, message) {
                error if error.is::<io::Error>() => wire = reconnect(options, error)?,
                error if finished && !error.to_string().ends_with("took the seat") => return Ok(()),
                error => return Err(error),
            },
            _ => {}
        }
    }
}

/// Returns the TURN_ACK for a TURN.
fn answer<B: Bot>(options: &Options, game: &mut Match, bot: &mut B, mut turn: Json) -> Result<String> {
    game.received = Instant::now();
    game.turn_number = turn.take("turn_number")?;
    game.players_info = turn.take("players_info").unwrap_or_default();
    let actions = bot.turn(game, turn.take("game_state")?);
    let sent = if options.role == "visualization" { &[] } else { &actions[..] };
    let (number, actions, debug) = (game.turn_number, join(sent.iter().map(B::Action::to_string)), game.debug.take());
    Ok(format!(r#"{{"message_type":"TURN_ACK","turn_number":{number},"actions":[{actions}]{debug}}}"#))
}

/// Connects again.
fn reconnect(options: &Options, mut cause: Box<dyn Error>) -> Result<Wire> {
    if options.stdio {
        return Err(cause);
    }
    eprintln!("{cause}; connecting again");
    let broke = Instant::now();
    while broke.elapsed() < options.grace() {
        thread::sleep((broke.elapsed() / 8).clamp(Duration::from_millis(100), Duration::from_secs(15)));
        match Wire::open(options) {
            Err(error) if error.is::<io::Error>() => cause = error,
            opened => return opened,
        }
    }
    Err(format!("the server did not come back within {} s: {cause}", options.grace().as_secs()).into())
}

/// A copy of the match in which the bot decides what all players do, played by `hexarena env`. After each
/// method the fields are those of the position. A mistake changes nothing.
pub struct Simulator {
    pub turn: i64, // the number of the TURN that the players are to answer
    pub over: bool,
    pub winner: i64,     // the id of the player who leads, or -1
    pub score: Vec<i64>, // by player id
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Simulator {
    /// Starts the child for a game such as "hexabomb", with the match before its first turn.
    pub fn new(game: &Match, name: &str) -> Result<Simulator> {
        let absent = "a simulator needs hexarena, and HEXARENA does not name it. hexarena sets it for the bots that \
            it starts, in containers on Linux only; set it yourself to the path of the program";
        let program = env::var_os("HEXARENA").filter(|path| !path.is_empty()).ok_or(absent)?;
        let mut command = Command::new(program);
        command.args(["env", "--json", "--game", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let answers = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut simulator = Simulator { turn: 0, over: false, winner: -1, score: Vec::new(), child, answers };
        simulator.ask("load", &game.starts)?;
        Ok(simulator)
    }

    /// Goes to the newest turn of the match.
    pub fn load(&mut self, game: &Match) -> Result<()> {
        self.ask("load", &game.newest).map(drop)
    }

    /// Plays a turn with the actions of each player, by id; None stands for no answer.
    pub fn step<A: Display>(&mut self, actions: &[Option<Vec<A>>]) -> Result<()> {
        let list = |actions: &Vec<A>| format!("[{}]", join(actions.iter().map(A::to_string)));
        let all = actions.iter().map(|answer| answer.as_ref().map_or("null".to_string(), list));
        self.ask("step", &format!("[{}]", join(all))).map(drop)
    }

    /// Keeps the position under a name.
    pub fn save(&mut self, name: &str) -> Result<()> {
        self.ask("save", &quote(name)).map(drop)
    }

    /// Returns to a position, as often as needed.
    pub fn restore(&mut self, name: &str) -> Result<()> {
        self.ask("restore", &quote(name)).map(drop)
    }

    /// Returns the state, as `Bot::turn` gets it.
    pub fn state<S: FromJson>(&mut self) -> Result<S> {
        self.ask("show", "\"state\"")?.take("state")
    }

    fn ask(&mut self, key: &str, value: &str) -> Result<Json> {
        let request = format!("{{\"show\":\"none\",\"{key}\":{value}}}\n"); // of two keys show, the last counts
        self.child.stdin.as_mut().ok_or("no pipe")?.write_all(request.as_bytes())?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err("hexarena env has ended".into());
        }
        let mut answer = Json::parse(&answer)?;
        if let Ok(error) = answer.take::<String>("error") {
            return Err(error.into());
        }
        (self.turn, self.over) = (answer.take("turn")?, answer.take("over")?);
        (self.winner, self.score) = (answer.take("winner")?, answer.take("score")?);
        Ok(answer)
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait(); // it ends with its input
    }
}

/// Returns a match of hexabomb for a test, and the state of its turn 0, which is drawn. A line of the drawing is a
/// row of cells with the same r, from 0, and a character in it a q: '.' is neutral, a digit has the colour and a
/// character of the player with that id, a letter from 'a' has the colour of player 0 and so on, and a blank is no
/// cell.
pub fn test_match(drawing: &str, player_id: usize, seed: i64, bombs: &[Bomb]) -> Result<(Match, State)> {
    let (mut cells, mut standing, mut counts) = (Vec::new(), Vec::new(), vec![0; 2.max(player_id + 1)]);
    for q in 0..drawing.lines().map(str::len).max().unwrap_or(0) {
        for (r, row) in drawing.lines().enumerate() {
            let char = row.chars().nth(q).unwrap_or(' ');
            let owner = "0123456789abcdefghij".find(char);
            if let Some(player) = owner.map(|i| i % 10) {
                counts.resize(counts.len().max(player + 1), 0);
                counts[player] += 1;
            }
            let color = owner.map_or(0, |i| i % 10 + 1);
            if char != ' ' {
                cells.push(format!(r#"{{"q":{q},"r":{r},"color":{color}}}"#));
            }
            if char.is_ascii_digit() {
                standing.push((color, q, r));
            }
        }
    }
    standing.sort_unstable();
    let characters = standing.iter().enumerate().map(|(id, (color, q, r))| {
        format!(r#"{{"id":{id},"color":{color},"q":{q},"r":{r},"alive":true,"revive_delay":-1,"bomb_count":1}}"#)
    });
    let bombs = bombs.iter().map(|Bomb { color, range, delay, q, r }| {
        format!(r#"{{"color":{color},"range":{range},"delay":{delay},"q":{q},"r":{r}}}"#)
    });
    let players = counts.len();
    let counts = join(counts.iter().enumerate().map(|(id, n)| format!(r#""{id}":{n}"#)));
    let state = format!(
        r#"{{"cells":[{}],"characters":[{}],"bombs":[{}],"explosions":{{}},"cell_count":{{{counts}}},"score":{{{counts}}}}}"#,
        cells.join(","),
        join(characters),
        join(bombs)
    );
    let starts = format!(
        r#"{{"message_type":"GAME_STARTS","player_id":{player_id},"nb_players":{players},"nb_special_players":0,"nb_turns_max":100,"milliseconds_before_first_turn":0,"milliseconds_between_turns":0,"initial_game_state":{state},"seed":{seed}}}"#
    );
    let mut game = Match::new(&mut Json::parse(&starts)?, &starts)?;
    game.turn_number = 0;
    game.newest = format!(r#"{{"message_type":"TURN","turn_number":0,"game_state":{state}}}"#);
    Ok((game, State::from_json(Json::parse(&state)?)?))
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>), // in their order; the last of equal keys counts
}

/// A type that is read from JSON.
pub trait FromJson: Sized {
    fn from_json(json: Json) -> Result<Self>;
}

impl Json {
    /// Reads a text that is one JSON value. Halves of surrogate pairs become U+FFFD.
    pub fn parse(text: &str) -> Result<Json> {
        let mut rest = text;
        let read = read_value(&mut rest, 0);
        skip(&mut rest, "");
        let read = read.and_then(|json| rest.is_empty().then_some(json).ok_or_else(|| "more than a value".into()));
        read.map_err(|error| format!("{error} at byte {}", text.len() - rest.len()).into())
    }

    /// Takes a member out of an object. A missing one is Null.
    pub fn take<T: FromJson>(&mut self, key: &str) -> Result<T> {
        let member = match self {
            Json::Object(members) => members.iter_mut().rev().find(|(name, _)| name == key),
            _ => return Err("want an object".into()),
        };
        let value = member.map_or(Json::Null, |(_, value)| mem::replace(value, Json::Null));
        T::from_json(value).map_err(|error| format!("{key}: {error}").into())
    }
}

macro_rules! from_json {
    ($($type:ty $([$parameter:ident])?, $pattern:pat => $value:expr, $wanted:literal;)*) => { $(
        impl $(<$parameter: FromJson>)? FromJson for $type {
            fn from_json(json: Json) -> Result<Self> {
                match json {
                    $pattern => $value,
                    _ => Err(concat!("want ", $wanted).into()),
                }
            }
        }
    )* };
}

from_json! {
    Json, json => Ok(json), "anything";
    bool, Json::Bool(value) => Ok(value), "true or false";
    f64, Json::Number(number) => Ok(number), "a number";
    i64, Json::Number(number) => Ok(number as i64), "a number"; // without its fraction, as in hexarena
    String, Json::String(text) => Ok(text), "a string";
    Vec<T> [T], Json::Array(elements) => elements.into_iter().map(T::from_json).collect(), "an array";
    BTreeMap<i64, T> [T], Json::Object(members) => members.into_iter().map(|(key, value)| Ok((key.parse()?, T::from_json(value)?))).collect(), "an object";
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

/// Returns a text as JSON.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\0'..='\x1f' => quoted += &format!("\\u{:04x}", c as u32),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Skips white space and a token; reports whether the token was there.
fn skip(text: &mut &str, token: &str) -> bool {
    *text = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let rest = text.strip_prefix(token);
    *text = rest.unwrap_or(text);
    rest.is_some()
}

/// Returns what is before the first character that `ends` accepts, and skips it.
fn until<'a>(text: &mut &'a str, ends: impl Fn(char) -> bool) -> &'a str {
    let (found, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    *text = rest;
    found
}

/// Reads a value that is inside of `depth` others.
fn read_value(text: &mut &str, depth: usize) -> Result<Json> {
    (depth <= DEPTH_LIMIT).then_some(()).ok_or("arrays and objects are nested too deeply")?;
    Ok(if skip(text, "[") {
        let mut elements = Vec::new();
        while has_more(text, elements.is_empty(), "]")? {
            elements.push(read_value(text, depth + 1)?);
        }
        Json::Array(elements)
    } else if skip(text, "{") {
        let mut members = Vec::new();
        while has_more(text, members.is_empty(), "}")? {
            skip(text, "\"").then_some(()).ok_or("no key")?;
            let key = read_string(text)?;
            skip(text, ":").then_some(()).ok_or("no colon")?;
            members.push((key, read_value(text, depth + 1)?));
        }
        Json::Object(members)
    } else if skip(text, "\"") {
        Json::String(read_string(text)?)
    } else if skip(text, "true") {
        Json::Bool(true)
    } else if skip(text, "false") {
        Json::Bool(false)
    } else if skip(text, "null") {
        Json::Null
    } else {
        Json::Number(read_number(text)?)
    })
}

/// Skips the comma before the next item of an array or object, or its end; reports whether there is an item.
fn has_more(text: &mut &str, is_first: bool, end: &str) -> Result<bool> {
    let ends = skip(text, end);
    (ends || is_first || skip(text, ",")).then_some(!ends).ok_or_else(|| "no comma".into())
}

fn read_number(text: &mut &str) -> Result<f64> {
    let number = until(text, |c| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_digit = |c: char| c.is_ascii_digit();
    // Of what Rust reads, 01, 1. and .1 are not JSON.
    let is_json = digits.split('.').all(|part| part.starts_with(is_digit))
        && !digits.strip_prefix('0').map_or(false, |rest| rest.starts_with(is_digit));
    match number.parse() {
        Ok(value) if is_json && f64::is_finite(value) => Ok(value),
        _ => Err("no value".into()),
    }
}

/// Reads the rest of a string, after its first quotation mark.
fn read_string(text: &mut &str) -> Result<String> {
    let mut string = String::new();
    loop {
        string += until(text, |c| c == '"' || c == '\\' || c < ' ');
        let mut units = Vec::new();
        while let Some(rest) = text.strip_prefix("\\u") {
            let digits = rest.get(..4).filter(|digits| !digits.starts_with('+')).ok_or("bad escape")?;
            units.push(u16::from_str_radix(digits, 16)?);
            *text = &rest[4..];
        }
        string.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if let Some(rest) = text.strip_prefix('"') {
            *text = rest;
            return Ok(string);
        }
        if let Some(rest) = text.strip_prefix('\\') {
            let i = "\"\\/bfnrt".find(|c| rest.starts_with(c)).ok_or("bad escape")?;
            string.push(char::from(b"\"\\/\x08\x0c\n\r\t"[i]));
            *text = &rest[1..];
        } else if text.is_empty() || text.starts_with(|c| c < ' ') {
            return Err("no end of a string".into());
        }
    }
}
