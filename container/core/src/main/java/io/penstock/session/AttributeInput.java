package io.penstock.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Reads objects with the class loader of an application. Classes are loaded, but {@link TrustedTypes} must accept a class before it is
 * initialised.
 */
final class AttributeInput extends ObjectInputStream {
    private final TrustedTypes types;

    AttributeInput(InputStream in, TrustedTypes types) throws IOException {
        super(in);
        this.types = types;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        try {
            return types.load(description.getName());
        } catch (ClassNotFoundException e) {
            // Class loaders do not find primitive types. The inherited method finds them.
            return super.resolveClass(description);
        }
    }

    /** Refuses dynamic proxies. A proxy can call any handler, so its type does not show which code would run. */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
        throw new InvalidClassException("a proxy of " + String.join(", ", interfaces) + " is not read");
    }
}
