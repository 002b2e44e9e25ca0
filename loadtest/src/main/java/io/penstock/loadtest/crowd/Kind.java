package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Target;

/** How a slow client is slow. */
public sealed interface Kind {

    /** What it asks for, or where it sends its body. */
    Target target();

    /** In a few words, for tables and error messages. */
    String describe();

    /** It has had an answer and keeps its connection. */
    record Idle(Target target) implements Kind {
        @Override
        public String describe() {
            return "idle after an answer";
        }
    }

    /** It has sent half a head, and sends nothing more. */
    record HalfHead(Target target) implements Kind {
        @Override
        public String describe() {
            return "half a head sent";
        }
    }

    /**
     * It sends the bodies of its requests drop by drop; after the answer to one it begins the next.
     *
     * @param length of a body, in bytes
     * @param drop bytes sent at a time
     * @param pauseMillis between two drops
     */
    record Upload(Target target, int length, int drop, int pauseMillis) implements Kind {
        public Upload {
            atLeastOne(length, "The length of a body");
            atLeastOne(drop, "The bytes sent at a time");
            atLeastOne(pauseMillis, "The pause between two drops");
        }

        @Override
        public String describe() {
            return "uploads " + length + " bytes, " + drop + " each " + pauseMillis + " ms";
        }
    }

    /**
     * It reads the responses to its requests a few bytes at a time; after one it asks for the next. How much the kernel
     * reads for it meanwhile is bounded by the receive buffer of its loop.
     *
     * @param bytes read at a time
     * @param pauseMillis between two reads
     */
    record Reader(Target target, int bytes, int pauseMillis) implements Kind {
        public Reader {
            atLeastOne(bytes, "The bytes read at a time");
            atLeastOne(pauseMillis, "The pause between two reads");
        }

        @Override
        public String describe() {
            return "reads " + bytes + " bytes each " + pauseMillis + " ms";
        }
    }

    private static void atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }
}
