package io.penstock.peer.content;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** A session attribute with a number that is changed without a call of {@code setAttribute}. Thread: any. */
public final class Tally implements Serializable {
    private static final long serialVersionUID = 1L;

    private int count;

    synchronized void increment() {
        count++;
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
    }

    @Override
    public synchronized String toString() {
        return Integer.toString(count);
    }
}
