package io.penstock.work;

/**
 * What several jobs send together: the output of a connection. A job that has been quick may leave what it has written, to be sent behind
 * the next job of its worker ({@link Workers#leave}).
 */
public interface Unsent {

    /** Sends what was left. A failure ends the connection; this method does not report it. Thread: the worker that has left it. */
    void send();
}
