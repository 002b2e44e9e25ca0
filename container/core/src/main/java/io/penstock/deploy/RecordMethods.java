package io.penstock.deploy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Removes a reference of the JDK to the last record for which the JDK has made {@code equals}, {@code hashCode} or {@code toString}. JDK 17
 * refers to the classes of the components of this record. If it is a record of an application, the reference keeps the whole application in
 * memory. The reference is replaced when the JDK makes the methods of another record, so this class uses a record of its own.
 *
 * <p>Thread: the thread that stops the application.
 */
final class RecordMethods implements AutoCloseable {

    /** A record of the container. After the JDK has made the methods of this record, the JDK refers to this record only. */
    private record Component(Component of) {}

    @Override
    public void close() throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle getter = lookup.findVirtual(Component.class, "of", MethodType.methodType(Component.class));
        make(lookup, "equals", MethodType.methodType(boolean.class, Component.class, Object.class), getter);
        make(lookup, "hashCode", MethodType.methodType(int.class, Component.class), getter);
        make(lookup, "toString", MethodType.methodType(String.class, Component.class), getter);
    }

    private static void make(MethodHandles.Lookup lookup, String name, MethodType type, MethodHandle getter)
            throws ReflectiveOperationException {
        try {
            ObjectMethods.bootstrap(lookup, name, type, Component.class, "of", getter);
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }
}
