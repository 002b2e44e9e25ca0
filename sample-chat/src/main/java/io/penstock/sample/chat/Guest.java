package io.penstock.sample.chat;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * One guest, and a queue of messages for this guest. The queue is necessary because a session sends one message at a
 * time. If too many messages wait, the guest is disconnected. So the memory for a guest is limited. Thread: any.
 */
final class Guest {
    static final int MAX_WAITING = 100;

    private final int number;
    private final Output output;
    private final Queue<String> waiting = new ArrayDeque<>();
    private State state = State.IDLE;

    private enum State {
        IDLE,
        SENDING,
        GONE
    }

    /** The next step after {@link #admit}. */
    private enum Next {
        SEND,
        CLOSE,
        NOTHING
    }

    Guest(int number, Output output) {
        this.number = number;
        this.output = output;
    }

    int number() {
        return number;
    }

    void tell(String message) {
        switch (admit(message)) {
            case SEND -> output.send(message, this::sent);
            case CLOSE -> output.close();
            case NOTHING -> {
                // The message is in the queue, or the guest has left.
            }
        }
    }

    private synchronized Next admit(String message) {
        if (state == State.GONE) {
            return Next.NOTHING;
        }
        if (state == State.IDLE) {
            state = State.SENDING;
            return Next.SEND;
        }
        if (waiting.size() < MAX_WAITING) {
            waiting.add(message);
            return Next.NOTHING;
        }
        drop();
        return Next.CLOSE;
    }

    private void sent(boolean succeeded) {
        String next = next(succeeded);
        if (!succeeded) {
            output.close();
        } else if (next != null) {
            output.send(next, this::sent);
        }
    }

    private synchronized String next(boolean succeeded) {
        if (!succeeded) {
            drop();
        }
        String next = waiting.poll();
        if (next == null && state == State.SENDING) {
            state = State.IDLE;
        }
        return next;
    }

    private void drop() {
        state = State.GONE;
        waiting.clear();
    }
}
