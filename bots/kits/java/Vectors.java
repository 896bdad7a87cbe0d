// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md. */
class Vectors implements Hexarena<Hexarena.Json> {
    private final Match<Json> match;

    Vectors(Match<Json> match) {
        this.match = match;
        report("call", "start", "player_id", match.playerId, "nb_players", match.players,
                "nb_special_players", match.specialPlayers, "nb_turns_max", match.turns,
                "milliseconds_before_first_turn", match.timeBeforeFirstTurn,
                "milliseconds_between_turns", match.timeBetweenTurns, "infos", match.playersInfo().size(),
                "match", match.number.isPresent() ? match.number.getAsInt() : null,
                "seed", match.seed.isPresent() ? match.seed.getAsLong() : null,
                "draw", match.random.nextDouble(), "digest", digest(match.initialState));
    }

    @Override
    public List<Json> turn(Json state) {
        report("call", "turn", "number", match.turnNumber(), "infos", match.playersInfo().size(),
                "limited", match.timeLeft().isPresent(), "digest", digest(state));
        if (state instanceof Json.Obj) {
            state.find("print").ifPresent(text -> System.out.println(text.text()));
            state.find("fail").ifPresent(text -> {
                throw new IllegalStateException(text.text());
            });
            state.find("debug").ifPresent(this::show);
            state.find("simulate").ifPresent(requests -> simulate(requests.items()));
            state.find("drawn").ifPresent(Vectors::draw);
        }
        return List.of(Json.object("echo", match.turnNumber()));
    }

    @Override
    public void end(Json state, int winner) {
        report("call", "end", "winner", winner, "digest", digest(state));
    }

    private void show(Json debug) {
        debug.find("text").ifPresent(text -> match.debug.text(text.text()));
        debug.find("values").ifPresent(values ->
                values.fields().forEach((name, value) -> match.debug.value(name, value.number())));
        debug.find("nan").ifPresent(names -> names.items().forEach(name -> match.debug.value(name.text(), Double.NaN)));
        debug.find("cells").ifPresent(cells -> cells.items().forEach(cell -> match.debug.cell(Coord.of(cell),
                cell.find("color").map(Json::text).orElse(""), cell.find("label").map(Json::text).orElse(""))));
    }

    /** Makes requests, and reports the position after each, or the mistake. */
    private void simulate(List<Json> requests) {
        try (var simulator = new Simulator<>(match, "hexabomb")) {
            for (Json request : requests) {
                try {
                    request.find("load").ifPresent(x -> simulator.load());
                    request.find("step").ifPresent(all ->
                            simulator.step(all.list(actions -> actions instanceof Json.Arr ? actions.items() : null)));
                    request.find("save").ifPresent(name -> simulator.save(name.text()));
                    request.find("restore").ifPresent(name -> simulator.restore(name.text()));
                    report("call", "simulate", "turn", simulator.turn(), "over", simulator.over(), "winner",
                            simulator.winner(), "score", simulator.score(), "digest", digest(simulator.state()));
                } catch (IllegalArgumentException e) {
                    report("call", "simulate", "error", e.getMessage());
                }
            }
        }
    }

    /** Reports the numbers in a match that is drawn, in an order. */
    private static void draw(Json drawn) {
        var test = TestMatch.of(drawn.get("drawing").text(), drawn.get("player_id").integer(),
                drawn.get("seed").integer(), drawn.get("bombs").list(Bomb::of).toArray(Bomb[]::new));
        try (var simulator = new Simulator<>(test.match(), "hexabomb")) {
            simulator.load();
            var match = test.match();
            var numbers = new ArrayList<Number>(List.of(match.playerId, match.players, match.turnNumber(), match.seed.getAsLong()));
            test.state().cells().forEach(c -> numbers.addAll(List.of(c.coord().q(), c.coord().r(), c.color())));
            test.state().characters().forEach(c ->
                    numbers.addAll(List.of(c.id(), c.color(), c.coord().q(), c.coord().r(), c.bombCount())));
            test.state().bombs().forEach(b ->
                    numbers.addAll(List.of(b.color(), b.range(), b.delay(), b.coord().q(), b.coord().r())));
            report("call", "drawn", "numbers", numbers, "score", simulator.score());
        }
    }

    private static void report(Object... call) {
        System.err.println(Json.object(call).write());
    }

    /** Returns the FNV-1a hash of a state. */
    private static String digest(Json state) {
        var bytes = new ByteArrayOutputStream();
        add(state, bytes);
        int hash = 0x811c9dc5;
        for (byte b : bytes.toByteArray()) {
            hash = (hash ^ b & 0xff) * 16777619;
        }
        return "%08x".formatted(hash);
    }

    private static void add(Json json, ByteArrayOutputStream to) {
        if (json instanceof Json.Num n) {
            to.write('d');
            to.writeBytes(ByteBuffer.allocate(8).putDouble(n.number()).array());
        } else if (json instanceof Json.Str s) {
            to.write('s');
            to.writeBytes(utf8(s.text()));
            to.write(0xff);
        } else if (json instanceof Json.Arr array) {
            to.write('[');
            array.items().forEach(item -> add(item, to));
            to.write(']');
        } else if (json instanceof Json.Obj object) {
            to.write('{');
            object.fields().keySet().stream().sorted(Comparator.comparing(Vectors::utf8, Arrays::compareUnsigned)).forEach(name -> {
                add(new Json.Str(name), to);
                add(object.get(name), to);
            });
            to.write('}');
        } else {
            to.write(json.write().charAt(0)); // of null, true or false
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static void main(String[] args) {
        Hexarena.run("vectors", args, Function.identity(), Vectors::new);
    }
}
