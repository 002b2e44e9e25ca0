package io.penstock.deploy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Removes references from the JDK to classes of a stopped application. When JDK 17 makes {@code equals}, {@code hashCode} or {@code
 * toString} for a record, the JDK keeps a reference to the classes of the record's components. If the record belongs to an application,
 * this reference keeps the whole application in memory. The JDK replaces the reference when it makes the methods of another record. So this
 * class makes the methods of a record that belongs to the container.
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
