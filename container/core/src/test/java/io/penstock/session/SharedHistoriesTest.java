package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counters;
import io.penstock.store.AttributeTable;
import io.penstock.store.RandomHistories;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests three servers that share a session store. The test runs random sequences of steps. Requests of a session run concurrently at one
 * server or at several servers, servers are killed, session ids change, and sessions end. When a request begins, the test compares its
 * session with a model.
 */
final class SharedHistoriesTest {
    private static final int SERVERS = 3;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void theSessionsOfThreeServersMatchTheModelAfterRandomSteps() {
        RandomHistories.run(3000, "three servers", History::new);
    }

    /** The expected content of the store for one session. */
    private static final class Stored {
        private final int number;
        private String id;
        private long version;
        private Map<String, List<Integer>> attributes = Map.of();
        private boolean isOver;

        private Stored(int number, String id) {
            this.number = number;
            this.id = id;
        }
    }

    /** The expected attributes of one session in the memory of one server. Concurrent requests of the session at this server share them. */
    private static final class Copy {
        private final Stored stored;
        private final int server;
        private final WebSession session;
        private String id;

        /**
         * The version of the stored session at the last load or save. A save does not update this field if another server has changed the
         * session since the last load.
         */
        private long version;

        private Map<String, List<Integer>> saved;
        private final Map<String, List<Integer>> now;

        private Copy(Stored stored, int server, WebSession session) {
            this.stored = stored;
            this.server = server;
            this.session = session;
            this.id = stored.id;
            this.version = stored.version;
            this.saved = copy(stored.attributes);
            this.now = copy(stored.attributes);
        }

        private boolean isCurrent() {
            return hasItsId() && stored.version == version;
        }

        private boolean hasItsId() {
            return !stored.isOver && stored.id.equals(id);
        }

        private void save() {
            Map<String, List<Integer>> result = copy(stored.attributes);
            Set<String> names = new HashSet<>(saved.keySet());
            names.addAll(now.keySet());
            boolean isChanged = version == 0;
            for (String name : names) {
                List<Integer> value = now.get(name);
                if (Objects.equals(value, saved.get(name))) {
                    continue;
                }
                isChanged = true;
                if (value == null) {
                    result.remove(name);
                } else {
                    result.put(name, List.copyOf(value));
                }
            }
            if (isChanged && hasItsId()) {
                stored.attributes = result;
                saved = copy(now);
                changed();
            }
        }

        /**
         * Records one more change in the store. The next request can use the objects of this copy only if no other server has changed the
         * session.
         */
        private void changed() {
            stored.version++;
            if (stored.version == version + 1) {
                version = stored.version;
            }
        }
    }

    private static Map<String, List<Integer>> copy(Map<String, List<Integer>> attributes) {
        Map<String, List<Integer>> copy = new HashMap<>();
        attributes.forEach((name, value) -> copy.put(name, new ArrayList<>(value)));
        return copy;
    }

    private static final class History implements RandomHistories.History {
        private final SplittableRandom random;
        private final AttributeTable table = new AttributeTable();
        private final List<String> steps = new ArrayList<>();
        private final List<SessionFixture> servers = new ArrayList<>();
        private final List<Stored> sessions = new ArrayList<>();
        private final Set<String> formerIds = new HashSet<>();

        /** One entry for each running request. */
        private final List<Copy> requests = new ArrayList<>();

        /** The number of session ends that killed servers have reported. */
        private int ends;

        private History(SplittableRandom random) {
            this.random = random;
            for (int i = 0; i < SERVERS; i++) {
                servers.add(server());
            }
        }

        private SessionFixture server() {
            StoreGate gate = new StoreGate(2, Duration.ZERO, System::nanoTime, () -> {});
            int inMemory = random.nextInt(3);
            return new SessionFixture(
                    PassivatedSessions.shared(
                            table,
                            gate,
                            Formats.of(null, SharedHistoriesTest.class.getClassLoader()),
                            inMemory,
                            Duration.ZERO,
                            new Counters()),
                    START);
        }

        @Override
        public List<String> steps() {
            return steps;
        }

        @Override
        public void run() {
            create(0);
            int length = 10 + random.nextInt(40);
            for (int i = 0; i < length; i++) {
                step();
            }
            while (!requests.isEmpty()) {
                leave(anyRequest());
            }
            for (Stored session : sessions) {
                for (int server = 0; server < SERVERS; server++) {
                    begin(server, session);
                }
                assertEquals(session.isOver ? 0 : session.version, table.version(session.id));
            }
            servers.forEach(server -> ends += server.ends());
            assertEquals(
                    sessions.stream().filter(session -> session.isOver).count(),
                    ends,
                    "the number of reported session ends");
        }

        private void step() {
            int draw = random.nextInt(100);
            int server = random.nextInt(SERVERS);
            if (draw < 3) {
                create(server);
            } else if (draw < 35 || requests.isEmpty()) {
                begin(server, sessions.get(Math.max(0, sessions.size() - 1 - random.nextInt(3))));
            } else if (draw < 65) {
                change(anyRequest());
            } else if (draw < 72) {
                save(anyRequest());
            } else if (draw < 90) {
                leave(anyRequest());
            } else if (draw < 94) {
                changeId(anyRequest());
            } else if (draw < 97) {
                invalidate(anyRequest());
            } else {
                kill(server);
            }
        }

        private Copy anyRequest() {
            return requests.get(random.nextInt(requests.size()));
        }

        private void create(int server) {
            WebSession session = servers.get(server).manager.create();
            Stored stored = new Stored(sessions.size(), session.getId());
            sessions.add(stored);
            steps.add(server + " creates session " + stored.number);
            requests.add(new Copy(stored, server, session));
        }

        private void begin(int server, Stored session) {
            String id = session.id;
            steps.add(server + " begins a request of session " + session.number);
            for (String former : formerIds) {
                assertNull(servers.get(server).manager.find(former), "a session was found by its former id");
            }
            WebSession found = servers.get(server).manager.find(id);
            Copy shared = requests.stream()
                    .filter(other -> other.server == server && other.id.equals(id) && other.isCurrent())
                    .findFirst()
                    .orElse(null);
            if (session.isOver || (session.version == 0 && shared == null)) {
                assertNull(found, "an ended or unsaved session was found");
                return;
            }
            assertNotNull(found, "the session was not found");
            assertEquals(
                    shared != null,
                    requests.stream().anyMatch(other -> other.session == found),
                    "whether the request shares its session object with another request");
            Copy copy = shared != null ? shared : new Copy(session, server, found);
            requests.add(copy);
            look(copy);
        }

        private void look(Copy copy) {
            Map<String, Object> seen = new HashMap<>();
            for (String name : Collections.list(copy.session.getAttributeNames())) {
                seen.put(name, copy.session.getAttribute(name));
            }
            assertEquals(copy.now, seen);
        }

        @SuppressWarnings("unchecked") // only this test sets attributes
        private void change(Copy copy) {
            if (!copy.session.isValid()) {
                return;
            }
            String name = NAMES.get(random.nextInt(NAMES.size()));
            int value = random.nextInt(1000);
            List<Integer> model = copy.now.get(name);
            if (model == null || random.nextInt(3) == 0) {
                steps.add(at(copy) + " sets " + name + " to " + value);
                copy.session.setAttribute(name, new ArrayList<>(List.of(value)));
                copy.now.put(name, new ArrayList<>(List.of(value)));
            } else if (random.nextInt(3) == 0) {
                steps.add(at(copy) + " removes " + name);
                copy.session.removeAttribute(name);
                copy.now.remove(name);
            } else {
                steps.add(at(copy) + " adds " + value + " to " + name);
                ((List<Integer>) copy.session.getAttribute(name)).add(value);
                model.add(value);
            }
        }

        private String at(Copy copy) {
            return copy.server + ", session " + copy.stored.number + " of version " + copy.version + ",";
        }

        private void save(Copy copy) {
            steps.add(at(copy) + " saves");
            servers.get(copy.server).manager.save(copy.session);
            if (copy.session.isValid()) {
                copy.save();
            }
        }

        private void leave(Copy copy) {
            steps.add(at(copy) + " ends a request");
            servers.get(copy.server).manager.leave(copy.session);
            if (copy.session.isValid()) {
                copy.save();
            }
            requests.remove(copy);
        }

        private void changeId(Copy copy) {
            if (!copy.session.isValid()) {
                return;
            }
            steps.add(at(copy) + " gets another id");
            String former = copy.id;
            boolean hadItsId = copy.hasItsId();
            @Nullable String changed = null;
            try {
                changed = servers.get(copy.server).manager.changeId(copy.session);
            } catch (IllegalStateException e) {
                steps.add("refused: " + e.getMessage());
            }
            assertEquals(hadItsId, changed != null);
            if (changed == null) {
                return;
            }
            copy.id = changed;
            copy.stored.id = changed;
            formerIds.add(former);
            if (copy.version > 0) {
                copy.changed(); // not save(): a change of the id makes a new version, and does not save attributes
            }
        }

        private void invalidate(Copy copy) {
            if (!copy.session.isValid()) {
                return;
            }
            steps.add(at(copy) + " invalidates");
            copy.session.invalidate();
            if (copy.version == 0 || copy.hasItsId()) {
                assertTrue(!copy.stored.isOver, "the session has ended twice");
                copy.stored.isOver = true;
            }
        }

        /** Kills a server. Unsaved changes and unsaved new sessions of this server are lost. */
        private void kill(int server) {
            steps.add(server + " is killed and starts again");
            requests.removeIf(copy -> copy.server == server);
            ends += servers.get(server).ends();
            servers.set(server, server());
        }
    }
}
