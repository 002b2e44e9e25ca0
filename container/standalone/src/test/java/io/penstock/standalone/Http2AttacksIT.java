package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Floods over HTTP/2, one kind after the other against one server. While they run, the server answers all requests of honest users; at most
 * the attackers wait. Afterwards its heap is as small as before the first one. {@code -Dpenstock.flood.seconds=30} lets each take
 * longer, and {@code -Dpenstock.flood=PINGS} runs one alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2AttacksIT {
    private static final int ATTACKERS = Integer.getInteger("penstock.flood.connections", 50);
    private static final long SECONDS = Integer.getInteger("penstock.flood.seconds", 1);
    private static final @Nullable String ONLY = System.getProperty("penstock.flood");
    private static final long MOST_GROWTH = 64 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int BIG = 2_000_000;
    private static final int STREAMS = 100; // max-streams

    // The types of frames, and their flags.
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PRIORITY = 2;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int PRIORITY_UPDATE = 16;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_HEADER_LIST_SIZE = 6;

    /** A field with a value of 3,900 bytes. */
    private static final byte[] LONG_ENTRY = longEntry();

    @TempDir
    static Path folder;

    private AttackedServer server;

    @BeforeAll
    void start() throws Exception {
        Files.write(folder.resolve("big.bin"), new byte[BIG]);
        // On a slow machine, the requests of the attackers alone can be an overload. Honest users then wait.
        server = AttackedServer.start(folder, List.of(SuspendedServlet.class), "--h2c=on", "--overload-after=0s");
    }

    @AfterAll
    void stop() throws Exception {
        if (server != null) {
            try {
                server.assertHonestUsersAreServed();
            } finally {
                server.close();
            }
        }
    }

    private static byte[] longEntry() {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        entry.writeBytes(new byte[] {0x40, 1, 'x', 0x7f, (byte) (3900 - 127 & 0x7f | 0x80), (3900 - 127) >> 7});
        entry.writeBytes("y".repeat(3900).getBytes(StandardCharsets.US_ASCII));
        return entry.toByteArray();
    }

    private enum Fate {
        /** The server does not read the attackers for some time. */
        PAUSED,
        /** The server closes their connections. */
        CLOSED,
        /** The server carries out what they ask for, which costs it no more than them. */
        SERVED
    }

    /** What the attackers send after the preface. */
    private enum Flood {
        REQUESTS_RESET_AT_ONCE(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/hello.txt").number(RST_STREAM, stream, 8));
            }
        },
        SLOW_REQUESTS_RESET_AT_ONCE(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended").number(RST_STREAM, stream, 8));
            }
        },
        STREAMS_BEYOND_THE_LIMIT(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended"));
            }
        },
        /** The client permits no head of a response. The server may send it nevertheless. */
        HEADS_THAT_THE_CLIENT_FORBIDS(Fate.SERVED) {
            @Override
            void first(Frames out) {
                out.setting(MAX_HEADER_LIST_SIZE, 0);
            }

            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/hello.txt"));
            }
        },
        UPLOADS_RESET_AT_ONCE(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.head(stream, 0, "/hello.txt")
                        .frame(DATA, 0, stream, new byte[100])
                        .number(RST_STREAM, stream, 8));
            }
        },
        WINDOW_UPDATES_OF_0(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.head(stream, 0, "/hello.txt").number(WINDOW_UPDATE, stream, 0));
            }
        },
        WINDOWS_THAT_ARE_TOO_LARGE(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended").number(WINDOW_UPDATE, stream, Integer.MAX_VALUE));
            }
        },
        DATA_BEHIND_THE_END(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended").frame(DATA, 0, stream, new byte[1]));
            }
        },
        HEADS_BEHIND_THE_END(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended").get(stream, "/suspended"));
            }
        },
        PRIORITIES_OF_FOUR_BYTES(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.get(stream, "/suspended").frame(PRIORITY, 0, stream, new byte[4]));
            }
        },
        HEADS_WITHOUT_AN_END(Fate.CLOSED) {
            @Override
            void round(Frames out) {
                byte[] field = new byte[16_384];
                out.frame(HEADERS, END_STREAM, out.stream(0), field);
                for (int i = 0; i < 20; i++) {
                    out.frame(CONTINUATION, 0, out.stream(0), field);
                }
            }
        },
        EMPTY_CONTINUATIONS(Fate.CLOSED) {
            @Override
            void round(Frames out) {
                out.frame(HEADERS, END_STREAM, out.stream(0), new byte[0]);
                for (int i = 0; i < 100; i++) {
                    out.frame(CONTINUATION, 0, out.stream(0), new byte[0]);
                }
            }
        },
        /** One entry of the table, and 15,000 times its index. */
        HEADS_THAT_GROW(Fate.SERVED) {
            @Override
            void round(Frames out) {
                out.growing(LONG_ENTRY);
            }
        },
        /** The same, and no answer is taken. */
        HEADS_THAT_GROW_BEHIND_CLOSED_WINDOWS(Fate.SERVED) {
            @Override
            void first(Frames out) {
                out.setting(INITIAL_WINDOW_SIZE, 0);
            }

            @Override
            void round(Frames out) {
                out.growing(LONG_ENTRY);
            }
        },
        /** The same with the field that the server joins. */
        CRUMBS_OF_COOKIES(Fate.SERVED) {
            @Override
            void round(Frames out) {
                out.growing(new byte[] {0x60, 0}); // cookie, with an empty value
            }
        },
        /** Each request has another priority, which is malformed. */
        MALFORMED_PRIORITIES(Fate.SERVED) {
            @Override
            void round(Frames out) {
                out.many(stream -> out.head(stream, END_STREAM, "/hello.txt", "priority", "u=?" + stream + ",,=;"));
            }
        },
        PINGS(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(PING, 0, 0, new byte[8]));
            }
        },
        SETTINGS_FOR_MANY_STREAMS(Fate.PAUSED) {
            @Override
            void first(Frames out) {
                out.setting(INITIAL_WINDOW_SIZE, 0).many(stream -> out.get(stream, "/big.bin"));
            }

            @Override
            void round(Frames out) {
                out.repeat(() -> out.setting(INITIAL_WINDOW_SIZE, 1).setting(INITIAL_WINDOW_SIZE, 0));
            }
        },
        PRIORITIES(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(PRIORITY, 0, 1, new byte[5]));
            }
        },
        PRIORITY_UPDATES(Fate.PAUSED) {
            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(PRIORITY_UPDATE, 0, 0, new byte[] {0, 0, 0, 1, 'u', '=', '1'}));
            }
        },
        EMPTY_DATA(Fate.PAUSED) {
            @Override
            void first(Frames out) {
                out.head(1, 0, "/hello.txt");
            }

            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(DATA, 0, 1, new byte[0]));
            }
        },
        DATA_OF_STREAMS_THAT_ARE_OVER(Fate.PAUSED) {
            @Override
            void first(Frames out) {
                out.get(1, "/hello.txt");
            }

            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(DATA, 0, 1, new byte[1]));
            }
        },
        UNKNOWN_FRAMES(Fate.SERVED) {
            @Override
            void round(Frames out) {
                out.repeat(() -> out.frame(200, 0, 1, new byte[0]));
            }
        },
        CLOSED_WINDOWS(Fate.SERVED) {
            @Override
            void first(Frames out) {
                out.setting(INITIAL_WINDOW_SIZE, 0).many(stream -> out.get(stream, "/big.bin"));
            }

            @Override
            void round(Frames out) {
                out.frame(PING, 0, 0, new byte[8]);
            }
        },
        /** 100 large responses, which get one byte at a time. */
        WINDOWS_THAT_OPEN_BY_ONE(Fate.PAUSED) {
            @Override
            void first(Frames out) {
                out.setting(INITIAL_WINDOW_SIZE, 0).many(stream -> out.get(stream, "/big.bin"));
            }

            @Override
            void round(Frames out) {
                for (int i = 0; i < STREAMS; i++) {
                    out.number(WINDOW_UPDATE, 1 + 2 * i, 1);
                }
                out.number(WINDOW_UPDATE, 0, STREAMS);
            }
        };

        private final Fate fate;

        Flood(Fate fate) {
            this.fate = fate;
        }

        /** Round 0. */
        void first(Frames out) {}

        abstract void round(Frames out);

        byte[] round(int number) {
            Frames out = new Frames(number);
            if (number == 0) {
                out.bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.frame(SETTINGS, 0, 0, new byte[0]).frame(SETTINGS, ACK, 0, new byte[0]);
                first(out);
            } else {
                round(out);
            }
            return out.bytes.toByteArray();
        }
    }

    /** The frames of one round. */
    private static final class Frames {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int round;

        Frames(int round) {
            this.round = round;
        }

        /** The number of a new stream; {@code at} counts those of the round. */
        int stream(int at) {
            return 1 + 2 * (round * STREAMS + at);
        }

        /** Does something for 100 new streams. */
        void many(IntConsumer with) {
            for (int i = 0; i < STREAMS; i++) {
                with.accept(stream(i));
            }
        }

        void repeat(Runnable one) {
            for (int i = 0; i < 500; i++) {
                one.run();
            }
        }

        Frames frame(int type, int flags, int stream, byte[] payload) {
            bytes.writeBytes(ByteBuffer.allocate(9)
                    .putInt(payload.length << 8 | type)
                    .put((byte) flags)
                    .putInt(stream)
                    .array());
            bytes.writeBytes(payload);
            return this;
        }

        /** A frame whose payload is a number. */
        Frames number(int type, int stream, int number) {
            return frame(type, 0, stream, ByteBuffer.allocate(4).putInt(number).array());
        }

        Frames setting(int name, int value) {
            return frame(
                    SETTINGS,
                    0,
                    0,
                    ByteBuffer.allocate(6).putShort((short) name).putInt(value).array());
        }

        Frames get(int stream, String path) {
            return head(stream, END_STREAM, path);
        }

        Frames head(int stream, int flags, String path, String... fields) {
            return frame(HEADERS, END_HEADERS | flags, stream, block(flags == 0 ? 0x83 : 0x82, path, fields));
        }

        /** @param method the entry of the static table: POST or GET */
        private static byte[] block(int method, String path, String... fields) {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            block.write(method);
            block.write(0x86); // http
            block.writeBytes(new byte[] {0x01, 1, 'a'}); // :authority
            block.write(0x04); // :path
            text(path, block);
            for (String part : fields) {
                if (part == fields[0]) {
                    block.write(0);
                }
                text(part, block);
            }
            return block.toByteArray();
        }

        private static void text(String text, ByteArrayOutputStream block) {
            block.write(text.length());
            block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }

        /** A request with a field that becomes an entry of the table, and follows 15,000 times by its index. */
        void growing(byte[] entry) {
            byte[] block = block(0x82, "/hello.txt");
            ByteBuffer all = ByteBuffer.allocate(16_384);
            all.put(block).put(entry);
            while (all.position() < 15_000) {
                all.put((byte) (0x80 | 62));
            }
            frame(HEADERS, END_HEADERS | END_STREAM, stream(0), Arrays.copyOf(all.array(), all.position()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFloodDelaysNobodyButItsSenders(Flood flood) throws Exception {
        assumeTrue(ONLY == null || ONLY.equals(flood.name()));
        server.answers();
        double pausesBefore = pauses();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        String answers;
        long grown;
        int closed;
        try (Crowd attackers = new Crowd(server.port())) {
            attackers.flood(ATTACKERS, flood::round);
            await().atMost(PATIENCE.plusSeconds(SECONDS))
                    .until(() -> System.nanoTime() > end
                            && (flood.fate != Fate.PAUSED || pauses() > pausesBefore)
                            && (flood.fate != Fate.CLOSED || attackers.closedByServer() > 0));
            answers = server.answers();
            grown = server.liveHeap() - server.heapBefore();
            closed = attackers.closedByServer();
            attackers.reset();
        }
        System.out.printf(
                "%s: %.0f pauses, %d connections closed; heap grown by %.1f MB; honest users: %s%n",
                flood, pauses() - pausesBefore, closed, grown / 1e6, answers);
        assertTrue(grown < MOST_GROWTH, () -> "the heap grew by " + grown);
        assertTrue(flood.fate == Fate.CLOSED || closed == 0, () -> closed + " connections closed");
        server.awaitHeapOfBefore();
    }

    private double pauses() throws Exception {
        return server.metric("penstock_flood_pauses_total");
    }
}
