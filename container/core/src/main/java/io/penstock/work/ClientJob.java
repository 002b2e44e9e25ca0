package io.penstock.work;

/** A job of a client that can have several jobs at a time. */
public interface ClientJob extends Job {

    /** The client. The result never changes. Any thread. */
    Client ofClient();
}
