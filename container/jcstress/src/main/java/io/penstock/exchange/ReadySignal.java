package io.penstock.exchange;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A signal that becomes ready once. It then runs the waiting action. If an action is added after that, the action runs immediately. Thread:
 * any.
 */
public final class ReadySignal {
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();
    private volatile boolean ready;

    public void becomeReady() {
        ready = true;
        wake();
    }

    public boolean isReady() {
        return ready;
    }

    public void whenReady(Runnable action) {
        waiting.set(action);
        if (ready) {
            wake();
        }
    }

    private void wake() {
        Runnable action = waiting.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }
}
