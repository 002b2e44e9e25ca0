package io.penstock.part;

import java.io.IOException;

/**
 * Turns the attributes of sessions into bytes and back, for a store or {@code session-dir}. Java's serialization is built in; an optional
 * part can bring others, from which the operator chooses one by {@code session-format}.
 *
 * <p>Thread: workers and threads of applications, many at once.
 */
public interface AttributeFormat {

    /**
     * The bytes of a value. The same value must give the same bytes each time, since a change is found by comparing them. The application
     * may change the object meanwhile. If this causes an unchecked exception, the server tries again.
     *
     * @throws IOException with the reason, if this value cannot be written
     */
    byte[] write(Object value) throws IOException;

    /**
     * Reads a value. {@link #write} has made the bytes, here or at another server; or an attacker has put them into the store.
     *
     * @throws IOException if they are of another form, or contain an object of a class that is not trusted
     * @throws ClassNotFoundException if the application has no such class
     */
    Object read(byte[] bytes) throws IOException, ClassNotFoundException;

    /** The classes of one application whose objects may be made from bytes of a store. Thread: any. */
    interface Types {

        /** The loader of the application's classes. */
        ClassLoader loader();

        /**
         * Loads a class without initialising it.
         *
         * @param name as {@link Class#getName} gives it
         * @throws ClassNotFoundException if there is none
         */
        Class<?> load(String name) throws ClassNotFoundException;

        /** Whether the class is the application's own, or plain data of the JDK. For an array, the class of its elements decides. */
        boolean isTrusted(Class<?> type);
    }

    /** A format that an operator can choose. */
    interface Provider {

        /** The value of {@code session-format}, in lower case. */
        String name();

        /** The format for the attributes of one application. Thread: the deploying threads. */
        AttributeFormat of(Types types);
    }
}
