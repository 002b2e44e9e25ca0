package io.penstock.work;

/**
 * A client that can have several requests at a time, over one connection. Its jobs share the workers fairly with those of other clients
 * ({@link RequestQueue}), and several of its responses may leave together ({@link Workers#leave}).
 */
public abstract class Client {

    /** How many workers run jobs of this client. Thread: the holder of the queue's lock. */
    int running;

    // Set by the reactor.
    private volatile boolean proxy;

    /** The client is a proxy, with requests of many clients. It may use more workers than one client. Any thread. */
    public final void standsForMany() {
        proxy = true;
    }

    /** Whether this client has its share of the workers, so that jobs of other clients go first. Thread: the holder of the queue's lock. */
    final boolean hasItsShare(int share) {
        return running >= share && !proxy;
    }

    /** Sends what its jobs have left. A failure ends the connection; this method does not report it. Thread: the worker that has left it. */
    protected abstract void send();
}
