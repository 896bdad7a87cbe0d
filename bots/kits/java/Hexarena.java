// SPDX-License-Identifier: Apache-2.0

import java.io.*;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.*;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A bot of hexarena, for Java 17 or newer: a class that returns the actions of each turn. This kit talks to the server.
 *
 * <pre>{@code
 * record Bot(Hexarena.Match<Hexarena.State> match) implements Hexarena<Hexarena.State> { // a new one for each match
 *     public List<Action> turn(State state) { return List.of(new Move(0, Direction.X_PLUS)); }
 *     public static void main(String[] args) { Hexarena.run("my bot", args, State::of, Bot::new); }
 * }
 * }</pre>
 *
 * @param <S> the type of the game's states: {@link State} for hexabomb, {@link Json} for any game
 */
public interface Hexarena<S> {

    /** Returns the actions of a turn: a list of {@link Action} for hexabomb, of {@link Json} for any game. */
    List<? extends ToJson> turn(S state);

    /** Is called at the end of the match; winner is a player id, or -1 if there is no winner. */
    default void end(S state, int winner) {}

    /**
     * Plays matches as the command line and the environment say, and ends the process, with code 0 if the last match
     * was played to its end. decode converts states; {@code Function.identity()} leaves them as JSON.
     */
    static <S> void run(String name, String[] args, Function<Json, S> decode, Function<Match<S>, Hexarena<S>> bot) {
        int code = 1;
        try {
            Class<?> caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
            code = new Client<>(Options.parse(name, args, digest(caller)), decode, bot).play();
        } catch (Failure e) {
            System.err.println(e.getMessage());
        } catch (Throwable e) { // of the bot
            e.printStackTrace();
        }
        System.exit(code); // also if threads of the bot still run
    }

    /** Returns a digest of a class, which tells versions of a bot apart; empty if its code is not known. */
    private static String digest(Class<?> bot) {
        try (var code = bot.getResourceAsStream(bot.getSimpleName() + ".class")) {
            return code == null ? "" : "%08x".formatted(Arrays.hashCode(code.readAllBytes()));
        } catch (IOException e) {
            return "";
        }
    }

    /** A match. Times are in milliseconds. */
    final class Match<S> {
        public final int playerId; // ours, from 0; -1 for a visualization
        public final int players; // ordinary ones
        public final int specialPlayers;
        public final int turns;
        public final double timeBeforeFirstTurn;
        public final double timeBetweenTurns; // 0 at full speed
        public final S initialState;
        public final OptionalInt number; // in its series, from 1; sent to bots that stay
        public final OptionalLong seed; // sent to bots that stay
        public final Random random; // seeded: the same seed gives the same match
        public final Debug debug = new Debug();
        private List<PlayerInfo> playersInfo;
        private int turnNumber = -1;
        private long turnReceived; // as of System.nanoTime
        private final Function<Json, S> decode;
        private final Json starts; // the GAME_STARTS
        private Json newest; // the newest TURN

        private Match(Json start, Function<Json, S> decode) {
            this.decode = decode;
            starts = newest = start;
            playerId = start.get("player_id").integer();
            players = start.get("nb_players").integer();
            specialPlayers = start.get("nb_special_players").integer();
            turns = start.get("nb_turns_max").integer();
            timeBeforeFirstTurn = start.get("milliseconds_before_first_turn").number();
            timeBetweenTurns = start.get("milliseconds_between_turns").number();
            initialState = decode.apply(start.get("initial_game_state"));
            playersInfo = start.get("players_info").list(PlayerInfo::of);
            number = start.find("match").map(n -> OptionalInt.of(n.integer())).orElse(OptionalInt.empty());
            seed = start.find("seed").map(n -> OptionalLong.of((long) n.number())).orElse(OptionalLong.empty());
            random = seed.isPresent() ? new Random(seed.getAsLong()) : Options.variable("BOT_SEED")
                    .map(text -> new Random(text.hashCode())).orElseGet(Random::new);
        }

        /** Returns the number of the newest TURN, from 0; -1 before the first. */
        public int turnNumber() { return turnNumber; }

        /** Returns the time until the end of this turn, at least zero; empty at full speed. */
        public Optional<Duration> timeLeft() {
            long left = turnReceived + (long) (timeBetweenTurns * 1e6) - System.nanoTime();
            return timeBetweenTurns > 0 ? Optional.of(Duration.ofNanos(Math.max(0, left))) : Optional.empty();
        }

        /** Returns what visualizations are told about all players; it is empty for players. */
        public List<PlayerInfo> playersInfo() { return playersInfo; }

        private void nextTurn(Json turn, long received) {
            turnReceived = received;
            newest = turn;
            turnNumber = turn.get("turn_number").integer();
            playersInfo = turn.get("players_info").list(PlayerInfo::of);
        }

        private boolean isSameAs(Match<S> other) {
            return playerId == other.playerId && number.equals(other.number) && seed.equals(other.seed);
        }
    }

    /** What spectators see beside the actions of a turn. It is empty at the beginning of each turn. */
    final class Debug {
        private final Map<String, Json> parts = new LinkedHashMap<>();
        private boolean reported;

        /** Sets the text. */
        public void text(String text) { parts.put("text", Json.of(text)); }

        /** Marks a cell. The color is one of CSS, such as "#f80"; color and label may be empty. */
        public void cell(Coord cell, String color, String label) {
            var mark = Json.object("q", cell.q, "r", cell.r, "color", color, "label", label);
            mark.fields().values().removeIf(Json.of("")::equals);
            parts.computeIfAbsent("cells", key -> Json.of(List.of())).items().add(mark);
        }

        /** Sets a value; the page draws a curve of each. One that is not finite is left out. */
        public void value(String name, double value) {
            if (Double.isFinite(value)) {
                parts.computeIfAbsent("values", key -> Json.object()).fields().put(name, Json.of(value));
            }
        }

        /** Moves what fits the limit to a TURN_ACK. */
        private void moveTo(Map<String, Json> turnAck) {
            while (size(new Json.Obj(parts)) > 4096) { // the server ignores a longer one
                String largest = Collections.max(parts.keySet(), Comparator.comparing(p -> size(parts.get(p))));
                parts.remove(largest);
                if (!reported) System.err.println("debug has more than 4096 bytes: its " + largest + " is left out");
                reported = true;
            }
            if (!parts.isEmpty()) turnAck.put("debug", new Json.Obj(new LinkedHashMap<>(parts)));
            parts.clear();
        }

        private static int size(Json json) { return json.write().getBytes(UTF_8).length; }
    }

    /** A direction, by hexabomb's names. */
    enum Direction {
        X_PLUS("x+", 1, 0), Y_PLUS("y+", 1, -1), Z_PLUS("z+", 0, -1),
        X_MINUS("x-", -1, 0), Y_MINUS("y-", -1, 1), Z_MINUS("z-", 0, 1);

        public final int dq, dr;
        private final String text;

        Direction(String text, int dq, int dr) {
            this.text = text;
            this.dq = dq;
            this.dr = dr;
        }

        @Override
        public String toString() { return text; }
    }

    /** Axial coordinates, on the board or not. */
    record Coord(int q, int r) {

        static Coord of(Json json) { return new Coord(json.get("q").integer(), json.get("r").integer()); }

        /** Returns the next cell in a direction. */
        public Coord neighbour(Direction direction) { return new Coord(q + direction.dq, r + direction.dr); }

        /** Returns the number of steps to another cell, as if there were no gaps. */
        public int distance(Coord to) {
            return (Math.abs(to.q - q) + Math.abs(to.r - r) + Math.abs(to.q + to.r - q - r)) / 2;
        }

        /** Returns up to n cells in a direction, from the next one to the last before the first gap of the board. */
        public List<Coord> ray(Direction direction, int n, Collection<Coord> board) {
            var cells = new ArrayList<Coord>();
            for (Coord h = neighbour(direction); cells.size() < n && board.contains(h); h = h.neighbour(direction)) {
                cells.add(h);
            }
            return cells;
        }

        /** Returns a shortest way over free cells to a goal, which is free too, in at most limit steps. */
        public Optional<Way> nearest(Set<Coord> free, Set<Coord> goals, int limit) {
            var seen = new HashSet<>(Set.of(this));
            List<Way> ways = Stream.of(Direction.values()).map(d -> new Way(d, neighbour(d), 1)).toList();
            for (int steps = 1; steps <= limit && !ways.isEmpty(); steps++) {
                var longer = new ArrayList<Way>();
                for (Way way : ways) {
                    if (!free.contains(way.goal) || !seen.add(way.goal)) continue;
                    if (goals.contains(way.goal)) return Optional.of(way);
                    for (Direction d : Direction.values()) {
                        longer.add(new Way(way.first, way.goal.neighbour(d), steps + 1));
                    }
                }
                ways = longer;
            }
            return Optional.empty();
        }

        /** Returns the first step of {@link #nearest}. */
        public Optional<Direction> firstStep(Set<Coord> free, Set<Coord> goals, int limit) {
            return nearest(free, goals, limit).map(Way::first);
        }
    }

    /** A shortest way to a goal: its first step, its end and the number of its steps. */
    record Way(Direction first, Coord goal, int steps) {}

    // types: generated from protocol/netorcai/model.json

    /** A cell of the board. {@code color}: 0 is neutral, otherwise player id plus one. */
    record Cell(Coord coord, int color) {
        static Cell of(Json json) {
            return new Cell(Coord.of(json), json.get("color").integer());
        }
    }

    /**
     * A character of a player. {@code color}: player id plus one; {@code reviveDelay}: turns until it can be revived;
     * -1 while it is alive; {@code bombCount}: bombs that it holds; absent by the draft rules.
     */
    record Character(int id, int color, Coord coord, boolean alive, int reviveDelay, int bombCount) {
        static Character of(Json json) {
            return new Character(json.get("id").integer(), json.get("color").integer(), Coord.of(json),
                    json.get("alive").bool(), json.get("revive_delay").integer(),
                    json.find("bomb_count").map(Json::integer).orElse(1));
        }
    }

    /**
     * A bomb that has not exploded yet. {@code color}: its owner's player id plus one; {@code range}: reach in each
     * direction, in cells; {@code delay}: turns until it explodes; 1: in the next turn.
     */
    record Bomb(int color, int range, int delay, Coord coord) {
        static Bomb of(Json json) {
            return new Bomb(json.get("color").integer(), json.get("range").integer(), json.get("delay").integer(),
                    Coord.of(json));
        }
    }

    /**
     * The board after a turn. {@code cells}: all cells, by q, then r; {@code characters}: all characters, by id; {@code
     * bombs}: all bombs, in the order in which they were dropped; {@code explosions}: exploded cells by their new
     * colour; absent by the draft rules; {@code cellCount}: number of cells of each player, by player id; {@code
     * score}: points of each player so far, by player id.
     */
    record State(List<Cell> cells, List<Character> characters, List<Bomb> bombs, Map<Integer, List<Coord>> explosions,
            Map<Integer, Integer> cellCount, Map<Integer, Integer> score) {
        static State of(Json json) {
            return new State(json.get("cells").list(Cell::of), json.get("characters").list(Character::of),
                    json.get("bombs").list(Bomb::of),
                    json.find("explosions").map(found -> found.map(Integer::valueOf, value -> value.list(Coord::of))).orElse(Map.of()),
                    json.get("cell_count").map(Integer::valueOf, Json::integer),
                    json.get("score").map(Integer::valueOf, Json::integer));
        }
    }

    /** A step of a character to the next cell. {@code id}: the character. */
    record Move(int id, Direction direction) implements Action {
        @Override
        public Json toJson() {
            return Json.object("id", id, "movement", "move", "direction", direction);
        }
    }

    /**
     * A bomb that a character drops on its cell. {@code id}: the character; {@code bombRange}: 2 to 4; up to 100 for a
     * special player; {@code bombDelay}: 2 to 4; up to 100 for a special player.
     */
    record DropBomb(int id, int bombRange, int bombDelay) implements Action {
        @Override
        public Json toJson() {
            return Json.object("id", id, "movement", "bomb", "bomb_range", bombRange, "bomb_delay", bombDelay);
        }
    }

    /** The revival of a character where it died. {@code id}: the character. */
    record Revive(int id) implements Action {
        @Override
        public Json toJson() {
            return Json.object("id", id, "movement", "revive");
        }
    }

    /** The revival of a character on a given cell, by the draft rules. {@code id}: the character. */
    record ReviveAt(int id, int reviveQ, int reviveR) implements Action {
        @Override
        public Json toJson() {
            return Json.object("id", id, "movement", "revive", "revive_q", reviveQ, "revive_r", reviveR);
        }
    }

    /** What a character does in a turn. */
    sealed interface Action extends ToJson permits Move, DropBomb, Revive, ReviveAt {}

    /** A player, as visualizations see it. {@code remoteAddress}: host:port. */
    record PlayerInfo(int playerId, String nickname, String remoteAddress, boolean isConnected) {
        static PlayerInfo of(Json json) {
            return new PlayerInfo(json.get("player_id").integer(), json.get("nickname").text(),
                    json.get("remote_address").text(), json.get("is_connected").bool());
        }
    }

    // end of types

    /** What is written as JSON. */
    interface ToJson { Json toJson(); }

    /** A JSON value. Asked for what it is not, such as the text of a number, it throws IllegalArgumentException. */
    sealed interface Json extends ToJson {
        record Obj(Map<String, Json> fields) implements Json {}
        record Arr(List<Json> items) implements Json {}
        record Str(String text) implements Json {}
        record Num(double number) implements Json {}
        record Bool(boolean bool) implements Json {}
        enum Null implements Json { NULL }

        default Map<String, Json> fields() { throw isNot("an object"); }
        default List<Json> items() { throw isNot("an array"); }
        default String text() { throw isNot("a string"); }
        default double number() { throw isNot("a number"); }
        default boolean bool() { throw isNot("a boolean"); }

        default int integer() {
            if (number() != (int) number()) throw isNot("an integer");
            return (int) number();
        }

        private IllegalArgumentException isNot(String wanted) {
            return new IllegalArgumentException("%.100s is not %s".formatted(write(), wanted));
        }

        /** Returns a field of an object, if it is there. */
        default Optional<Json> find(String key) { return Optional.ofNullable(fields().get(key)); }

        /** Returns a field of an object. */
        default Json get(String key) { return find(key).orElseThrow(() -> isNot("an object with \"" + key + "\"")); }

        /** Converts the items of an array. */
        default <T> List<T> list(Function<Json, T> item) { return items().stream().map(item).toList(); }

        /** Converts the fields of an object to a map ordered by its keys. */
        default <K, V> Map<K, V> map(Function<String, K> key, Function<Json, V> value) {
            var map = new TreeMap<K, V>();
            fields().forEach((name, field) -> map.put(key.apply(name), value.apply(field)));
            return map;
        }

        /** Returns an object of names and values in turn; the values are converted by {@link #of}. */
        static Obj object(Object... namesAndValues) {
            var fields = new LinkedHashMap<String, Json>();
            for (int i = 0; i < namesAndValues.length; i += 2) {
                fields.put((String) namesAndValues[i], of(namesAndValues[i + 1]));
            }
            return new Obj(fields);
        }

        /** Converts a collection, number, boolean, null or ToJson; anything else becomes its text. */
        static Json of(Object value) {
            if (value instanceof ToJson json) return json.toJson();
            if (value instanceof Collection<?> items) return new Arr(new ArrayList<>(items.stream().map(Json::of).toList()));
            if (value instanceof Number number) return new Num(number.doubleValue());
            if (value instanceof Boolean bool) return new Bool(bool);
            return value == null ? Null.NULL : new Str(value.toString());
        }

        @Override
        default Json toJson() { return this; }

        /** Returns the value as JSON, on one line. */
        default String write() {
            var text = new StringBuilder();
            write(text);
            return text.toString();
        }

        private void write(StringBuilder text) {
            if (this instanceof Arr array) {
                char before = '[';
                for (Json item : array.items) {
                    item.write(text.append(before));
                    before = ',';
                }
                text.append(array.items.isEmpty() ? "[]" : "]");
            } else if (this instanceof Obj object) {
                char before = '{';
                for (var field : object.fields.entrySet()) {
                    quote(field.getKey(), text.append(before));
                    field.getValue().write(text.append(':'));
                    before = ',';
                }
                text.append(object.fields.isEmpty() ? "{}" : "}");
            } else if (this instanceof Str string) {
                quote(string.text, text);
            } else if (this instanceof Bool b) {
                text.append(b.bool);
            } else if (!(this instanceof Num n) || !Double.isFinite(n.number)) {
                text.append("null");
            } else if (n.number == (long) n.number) {
                text.append((long) n.number);
            } else {
                text.append(n.number);
            }
        }

        private static void quote(String plain, StringBuilder text) {
            text.append('"');
            for (char c : plain.toCharArray()) {
                if (c == '"' || c == '\\') text.append('\\');
                if (c < ' ') text.append("\\u%04x".formatted((int) c));
                else text.append(c);
            }
            text.append('"');
        }

        /** Reads one value, as strictly as RFC 8259 says; throws Failure. */
        static Json read(byte[] utf8) {
            try {
                var reader = new Reader(UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
                Json value = reader.value();
                reader.next();
                if (reader.at < reader.text.length()) throw reader.fail("a second value");
                return value;
            } catch (CharacterCodingException e) {
                throw new Failure("cannot read JSON: it is not UTF-8");
            }
        }

        /** Reads a text. */
        final class Reader {
            private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

            private final String text;
            private int at, depth;

            private Reader(String text) { this.text = text; }
            private Json value() {
                return switch (next()) {
                    case '{' -> {
                        var fields = new LinkedHashMap<String, Json>();
                        elements('}', () -> {
                            next();
                            String name = string();
                            next();
                            expect(':');
                            fields.put(name, value()); // the last of equal names counts, as in the server
                        });
                        yield new Obj(fields);
                    }
                    case '[' -> {
                        var items = new ArrayList<Json>();
                        elements(']', () -> items.add(value()));
                        yield new Arr(items);
                    }
                    case '"' -> new Str(string());
                    default -> scalar();
                };
            }
            private void elements(char close, Runnable element) {
                if (++depth > 512) throw fail("more than 512 levels"); // as in the server; the stack holds more
                at++;
                if (next() != close) {
                    element.run();
                    for (; next() == ','; element.run()) at++;
                }
                expect(close);
                depth--;
            }
            private Json scalar() {
                int start = at;
                while ("+-.0123456789Eaeflnrstu".indexOf(current()) >= 0) at++;
                String word = text.substring(start, at);
                if (NUMBER.matcher(word).matches() && Double.isFinite(Double.parseDouble(word))) {
                    return new Num(Double.parseDouble(word));
                }
                return switch (word) {
                    case "true", "false" -> new Bool(word.equals("true"));
                    case "null" -> Null.NULL;
                    default -> throw fail("unexpected \"%.30s\"".formatted(word));
                };
            }
            private String string() {
                expect('"');
                var string = new StringBuilder();
                for (char c; (c = current()) != '"'; ) {
                    if (c < ' ') throw fail("a control character or the end");
                    at++;
                    string.append(c == '\\' ? escaped() : c);
                }
                at++;
                return string.toString();
            }
            private char escaped() {
                char c = current();
                int kind = "\"\\/bfnrtu".indexOf(c);
                if (kind < 0) throw fail("unexpected \\" + c);
                at++;
                try {
                    return c == 'u' ? (char) HexFormat.fromHexDigits(text, at, at += 4) : "\"\\/\b\f\n\r\t".charAt(kind);
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    throw fail("unexpected \\u");
                }
            }

            /** Skips white space and returns the character after it; 0, which JSON cannot contain, at the end. */
            private char next() {
                while (current() == ' ' || current() == '\n' || current() == '\r' || current() == '\t') at++;
                return current();
            }
            private char current() { return at < text.length() ? text.charAt(at) : 0; }
            private void expect(char c) {
                if (current() != c) throw fail("no " + c);
                at++;
            }
            private Failure fail(String unexpected) {
                return new Failure("cannot read JSON: " + unexpected + " before character " + at);
            }
        }
    }

    /**
     * A copy of the match in which the bot decides what all players do, played by {@code hexarena env}. After each
     * method the others are about that position. A mistake throws an IllegalArgumentException and changes nothing.
     */
    final class Simulator<S> implements Closeable {
        private final Match<S> match;
        private final Process child;
        private final Connection lines;
        private Json position; // the newest answer

        /** Starts the child for a game such as "hexabomb", with the match before its first turn. */
        public Simulator(Match<S> match, String game) {
            String program = Options.variable("HEXARENA").orElseThrow(() -> new Failure(
                    "a simulator needs hexarena, and HEXARENA does not name it. hexarena sets it for the bots that it "
                    + "starts, in containers on Linux only; set it yourself to the path of the program"));
            this.match = match;
            try {
                child = new ProcessBuilder(program, "env", "--json", "--game", game).redirectError(Redirect.INHERIT).start();
            } catch (IOException e) {
                throw new Failure(e.getMessage());
            }
            lines = new Connection(child.getInputStream(), child.getOutputStream(), true);
            try {
                ask("load", match.starts);
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /** Returns the number of the TURN that the players are to answer. */
        public int turn() { return position.get("turn").integer(); }

        /** Reports whether the match is over. */
        public boolean over() { return position.get("over").bool(); }

        /** Returns the id of the player who leads, or -1. */
        public int winner() { return position.get("winner").integer(); }

        /** Returns the score by player id. */
        public List<Integer> score() { return position.get("score").list(Json::integer); }

        /** Goes to the newest turn of the match. */
        public void load() { ask("load", match.newest); }

        /** Plays a turn with the actions of each player, by id; null stands for no answer. */
        public void step(List<? extends List<? extends ToJson>> actions) { ask("step", actions); }

        /** Keeps the position under a name. */
        public void save(String name) { ask("save", name); }

        /** Returns to a position, as often as needed. */
        public void restore(String name) { ask("restore", name); }

        /** Returns the state, as {@link #turn} gets it. */
        public S state() { return match.decode.apply(ask("show", "state").get("state")); }

        /** Ends the child. */
        @Override
        public void close() { child.destroy(); }

        private Json ask(String key, Object value) {
            lines.send(Json.object("show", "none", key, value));
            try {
                Json answer = Json.read(lines.receive());
                answer.find("error").ifPresent(error -> { throw new IllegalArgumentException(error.text()); });
                return position = answer;
            } catch (IOException e) {
                throw new Failure("hexarena env has ended");
            }
        }
    }

    /** A match of hexabomb for a test, and the state of its turn 0. */
    record TestMatch(Match<State> match, State state) {

        /**
         * Makes the match as it is drawn. A line of the drawing is a row of cells with the same r, from 0, and a
         * character in it a q: "." is neutral, a digit has the colour and a character of the player with that id, a
         * letter from "a" has the colour of player 0 and so on, and a blank is no cell.
         */
        public static TestMatch of(String drawing, int playerId, long seed, Bomb... bombs) {
            var rows = drawing.lines().toList();
            var cells = new ArrayList<Json>();
            var standing = new TreeMap<Integer, List<Coord>>();
            var counts = new TreeMap<Integer, Integer>();
            for (int id = 0; id < Math.max(2, playerId + 1); id++) counts.put(id, 0);
            for (int q = 0; q < rows.stream().mapToInt(String::length).max().orElse(0); q++) {
                for (int r = 0; r < rows.size(); r++) {
                    char c = q < rows.get(r).length() ? rows.get(r).charAt(q) : ' ';
                    if (c == ' ') continue;
                    int owner = "0123456789abcdefghij".indexOf(c);
                    int color = owner < 0 ? 0 : owner % 10 + 1;
                    cells.add(Json.object("q", q, "r", r, "color", color));
                    for (int id = counts.size(); id < color; id++) counts.put(id, 0);
                    if (color > 0) counts.merge(color - 1, 1, Integer::sum);
                    if (0 <= owner && owner < 10) standing.computeIfAbsent(color, x -> new ArrayList<>()).add(new Coord(q, r));
                }
            }
            var characters = new ArrayList<Json>();
            standing.forEach((color, places) -> places.forEach(c -> characters.add(Json.object("id", characters.size(),
                    "color", color, "q", c.q, "r", c.r, "alive", true, "revive_delay", -1, "bomb_count", 1))));
            var count = Json.object();
            counts.forEach((id, n) -> count.fields().put(id.toString(), Json.of(n)));
            var dropped = Stream.of(bombs).map(b -> Json.object("color", b.color, "range", b.range, "delay", b.delay,
                    "q", b.coord.q, "r", b.coord.r)).toList();
            var state = Json.object("cells", cells, "characters", characters, "bombs", dropped,
                    "explosions", Json.object(), "cell_count", count, "score", count);
            var match = new Match<>(Json.object("message_type", "GAME_STARTS", "player_id", playerId,
                    "nb_players", counts.size(), "nb_special_players", 0, "nb_turns_max", 100,
                    "milliseconds_before_first_turn", 0, "milliseconds_between_turns", 0,
                    "initial_game_state", state, "players_info", List.of(), "seed", seed), State::of);
            match.nextTurn(Json.object("message_type", "TURN", "turn_number", 0, "game_state", state,
                    "players_info", List.of()), System.nanoTime());
            return new TestMatch(match, State.of(state));
        }
    }

    /** Plays matches, over one connection after another if they break. */
    final class Client<S> {
        private final Options options;
        private final Function<Json, S> decode;
        private final Function<Match<S>, Hexarena<S>> constructor;
        private Match<S> match; // the newest
        private Hexarena<S> bot; // plays the match; null before the first and between two
        private boolean finished; // the newest match was played to its end
        private long wait = -1; // milliseconds before the last attempt to reconnect; 0 after a login, -1 before any
        private long broken; // when the connection broke, as of System.nanoTime

        private Client(Options options, Function<Json, S> decode, Function<Match<S>, Hexarena<S>> constructor) {
            this.options = options;
            this.decode = decode;
            this.constructor = constructor;
        }

        /** Returns the exit code. */
        private int play() throws InterruptedException {
            while (true) {
                try (var connection = Connection.open(options)) {
                    return converse(connection);
                } catch (IOException e) {
                    if (finished && (!options.stay || options.stdio)) return 0;
                    waitToReconnect(e);
                }
            }
        }

        private int converse(Connection connection) throws IOException {
            connection.send(options.login());
            while (true) {
                byte[] content = connection.receive();
                long received = System.nanoTime();
                Json message = parse(content);
                switch (message.get("message_type").text()) {
                    case "LOGIN_ACK" -> wait = 0;
                    case "GAME_STARTS" -> start(message);
                    case "TURN" -> connection.send(turn(message, received));
                    case "GAME_ENDS" -> end(message);
                    case "KICK" -> { return kicked(message.get("kick_reason").text()); }
                    default -> {} // newer than this kit
                }
            }
        }
        private static Json parse(byte[] content) {
            try {
                Json message = Json.read(content);
                message.get("message_type").text();
                return message;
            } catch (Failure | IllegalArgumentException e) {
                throw new Failure("cannot read what the server sent: " + e.getMessage());
            }
        }
        private void start(Json message) {
            var started = new Match<>(message, decode);
            if (bot == null || !match.isSameAs(started)) { // otherwise we have reconnected
                match = started;
                bot = constructor.apply(match);
                finished = false;
            }
        }
        private Json turn(Json message, long received) {
            if (bot == null) throw new Failure("the server sent TURN before GAME_STARTS");
            match.nextTurn(message, received);
            var actions = bot.turn(decode.apply(message.get("game_state")));
            var turnAck = Json.object("message_type", "TURN_ACK", "turn_number", match.turnNumber,
                    "actions", options.role.equals("visualization") ? List.of() : actions);
            match.debug.moveTo(turnAck.fields());
            return turnAck;
        }
        private void end(Json message) {
            if (bot != null) {
                bot.end(decode.apply(message.get("game_state")), message.get("winner_player_id").integer());
            }
            bot = null;
            finished = true;
        }
        private int kicked(String reason) throws IOException {
            if (reason.equals("netorcai abort") && options.isPatient() && wait >= 0) {
                throw new IOException("kicked: " + reason);
            }
            if (!finished || !reason.equals("Game is finished")) System.err.println("kicked: " + reason);
            if (reason.contains("token is needed")) {
                System.err.println("Ask the server's operator for your token and add --token TOKEN (or set BOT_TOKEN).");
            }
            return finished && !reason.equals("Another connection took the seat") ? 0 : 1;
        }
        private void waitToReconnect(IOException cause) throws InterruptedException {
            String server = options.host + ":" + options.port;
            if (options.stdio) throw new Failure("the server closed the connection");
            if (wait < 0) throw new Failure("no server at " + server + ": " + cause + "; is hexarena running?");
            broken = wait == 0 ? System.nanoTime() : broken;
            if (wait == 0) System.err.println(cause.getMessage() + "; connecting again");
            long away = (System.nanoTime() - broken) / 1_000_000;
            long grace = options.isPatient() ? 12 * 3_600_000 : 30_000; // the server keeps a seat for 30 s
            if (away > grace) {
                throw new Failure("lost the server at " + server + " for " + grace / 1000 + " s: " + cause);
            }
            wait = Math.min(Math.max(100, away / 8), 15_000);
            Thread.sleep(wait);
        }
    }

    /** What the environment says, or the command line in its place. */
    record Options(String host, int port, String name, String token, String role, boolean stay, boolean stdio,
            boolean tls, String version) {
        private static Options parse(String defaultName, String[] args, String version) {
            var values = new HashMap<String, String>();
            Map.of("HOST", "BOT_HOST", "PORT", "BOT_PORT", "--name", "BOT_NICKNAME", "--token", "BOT_TOKEN",
                    "--stay", "BOT_SEED", "--stdio", "BOT_STDIO") // hexarena sets a seed for bots that it starts
                    .forEach((option, variable) -> variable(variable).ifPresent(value -> values.put(option, value)));
            var places = new ArrayDeque<>(List.of("HOST", "PORT"));
            for (var words = List.of(args).iterator(); words.hasNext(); ) {
                String word = words.next();
                if (word.matches("--(stay|stdio|tls)")) {
                    values.put(word, "");
                } else if (word.matches("(?s)--(name|token|role)(=.*)?")) {
                    var parts = word.split("=", 2);
                    values.put(parts[0], parts.length > 1 ? parts[1] : words.hasNext() ? words.next() : "");
                } else if (word.startsWith("-") || places.isEmpty()) {
                    throw new Failure("unexpected " + word + "; use [HOST [PORT]] [--name NAME] [--token TOKEN] "
                            + "[--role player|\"special player\"|visualization] [--stay] [--stdio] [--tls]");
                } else {
                    values.put(places.remove(), word);
                }
            }
            String port = values.getOrDefault("PORT", "4242");
            boolean valid = port.matches("[0-9]{1,5}") && Integer.parseInt(port) < 65536;
            if (!valid) throw new Failure("the port " + port + " is not a number below 65536");
            String name = values.getOrDefault("--name", defaultName).strip().replaceAll("\\s+", "_");
            return new Options(values.getOrDefault("HOST", "127.0.0.1"), Integer.parseInt(port),
                    name.replaceFirst("^(.{10}).*", "$1"), // a nickname is no longer
                    values.getOrDefault("--token", ""), values.getOrDefault("--role", "player"),
                    values.containsKey("--stay"), values.containsKey("--stdio"), values.containsKey("--tls"), version);
        }

        /** Reports whether the bot comes back after hours: a server that is restarted knows its token. */
        private boolean isPatient() { return stay && !token.isEmpty() && !stdio; }
        private static Optional<String> variable(String name) {
            return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
        }

        private Json login() {
            var login = Json.object("message_type", "LOGIN", "nickname", name, "role", role,
                    "metaprotocol_version", "2.0.0", "language", "Java");
            if (!version.isEmpty()) login.fields().put("version", Json.of(version));
            if (stay) login.fields().put("stay", Json.of(true));
            if (!token.isEmpty()) login.fields().put("token", Json.of(token));
            if (ManagementFactory.getRuntimeMXBean().getInputArguments().toString().contains("-agentlib:jdwp")) {
                login.fields().put("debugger", Json.of(true));
            }
            return login;
        }
    }

    /** Carries messages: as frames over TCP, as lines over standard input and output. */
    record Connection(InputStream in, OutputStream out, boolean lines) implements Closeable {
        private static Connection open(Options options) throws IOException {
            if (options.stdio) {
                System.setOut(System.err); // what the bot prints is no message
                return new Connection(System.in, new FileOutputStream(FileDescriptor.out), true);
            }
            var socket = (options.tls ? SSLSocketFactory.getDefault() : SocketFactory.getDefault())
                    .createSocket(options.host, options.port);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            if (socket instanceof SSLSocket tls) {
                var parameters = tls.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate has to be the host's
                tls.setSSLParameters(parameters);
            }
            return new Connection(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream(), false);
        }

        private byte[] receive() throws IOException {
            if (lines) {
                var line = new ByteArrayOutputStream();
                for (int b; (b = in.read()) != '\n'; line.write(b)) if (b < 0) throw new EOFException();
                return line.toByteArray();
            }
            int length = ByteBuffer.wrap(read(4)).order(ByteOrder.LITTLE_ENDIAN).getInt();
            if (length >>> 24 != 0) throw new Failure("the server's message is longer than 16777215 bytes");
            return read(length);
        }

        private byte[] read(int length) throws IOException {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) throw new EOFException("the server closed the connection");
            return bytes;
        }

        /** Sends a message in one write: with two, Nagle's algorithm could delay the second. */
        private void send(Json message) {
            byte[] content = (message.write() + "\n").getBytes(UTF_8);
            byte[] frame = ByteBuffer.allocate(4 + content.length).order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(content.length).put(content).array();
            try {
                out.write(lines ? content : frame);
                out.flush();
            } catch (IOException e) { // the reads that follow return the KICK that explains it, or fail as well
            }
        }

        @Override
        public void close() throws IOException { out.close(); }
    }

    /** An error whose message says all; it is not the bot's. */
    final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        private Failure(String message) { super(message); }
    }
}
