package io.penstock.part;

import java.io.IOException;

/**
 * Converts session attributes to bytes and back, for a session store or for {@code session-dir}. The server contains a format that uses
 * Java serialization. An optional part can add other formats. The operator chooses a format with {@code session-format}.
 *
 * <p>Thread: workers and application threads, many at once.
 */
public interface AttributeFormat {

    /**
     * Converts a value to bytes. An unchanged value must give the same bytes each time, because the server compares the bytes to find
     * changes. The application may change the object during the call. If this causes an unchecked exception, the server tries again.
     *
     * @throws IOException if this value cannot be written; the message gives the reason
     */
    byte[] write(Object value) throws IOException;

    /**
     * Converts bytes to a value. Usually {@link #write} has made the bytes, on this server or on another server. But an attacker may have
     * put other bytes into the store.
     *
     * @throws IOException if the bytes have another form, or contain an object of a class that is not trusted
     * @throws ClassNotFoundException if the application has no such class
     */
    Object read(byte[] bytes) throws IOException, ClassNotFoundException;

    /** The classes of one application whose objects may be created from the bytes of a store. Thread: any. */
    interface Types {

        /** The class loader of the application. */
        ClassLoader loader();

        /**
         * Loads a class but does not initialise it.
         *
         * @param name the name in the form of {@link Class#getName}
         * @throws ClassNotFoundException if there is no such class
         */
        Class<?> load(String name) throws ClassNotFoundException;

        /** Whether the class belongs to the application, or is a data class of the JDK. For an array, the class of its elements decides. */
        boolean isTrusted(Class<?> type);
    }

    /** A format that the operator can choose. */
    interface Provider {

        /** The value of {@code session-format}, in lower case. */
        String name();

        /** Makes the format for the attributes of one application. Thread: the deploying threads. */
        AttributeFormat of(Types types);
    }
}
