package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Finds out whether a class calls {@code ServletInputStream.setReadListener}. Such a servlet reads the body without blocking, so it may get
 * a request before the body has arrived. Only the constant pool is read; no class is loaded.
 */
final class ReadListenerUse {
    private static final int METHOD_REFERENCE = 10;
    private static final String OWNER = "jakarta/servlet/ServletInputStream";
    private static final String METHOD = "setReadListener";

    private ReadListenerUse() {}

    /** Whether the class contains the call. {@code loader} finds the class file of {@code name}. */
    static boolean of(String name, @Nullable ClassLoader loader) throws IOException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            return in != null && in(in.readAllBytes());
        }
    }

    /** Whether the class file refers to the method; false also for an unreadable file. */
    static boolean in(byte[] classFile) {
        ClassReader reader;
        try {
            reader = new ClassReader(classFile);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return false; // the class loader will report the error
        }
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int offset = reader.getItem(i);
            if (offset != 0 && reader.readByte(offset - 1) == METHOD_REFERENCE) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(offset + 2));
                if (OWNER.equals(reader.readClass(offset, buffer))
                        && METHOD.equals(reader.readUTF8(nameAndType, buffer))) {
                    return true;
                }
            }
        }
        return false;
    }
}
