package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Finds out whether a class calls {@code ServletInputStream.setReadListener}. A servlet with this call reads the body without blocking. So
 * the server can call the servlet before the body has arrived. Only the constant pool of the class file is read, and no class is loaded.
 */
final class ReadListenerUse {
    private static final int METHOD_REFERENCE = 10;
    private static final String OWNER = "jakarta/servlet/ServletInputStream";
    private static final String METHOD = "setReadListener";

    private ReadListenerUse() {}

    /**
     * Whether the class {@code name} contains the call. The class file is read through {@code loader}, or from the class path if {@code
     * loader} is null.
     */
    static boolean of(String name, @Nullable ClassLoader loader) throws IOException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            return in != null && in(in.readAllBytes());
        }
    }

    /** Whether the class file refers to {@code setReadListener}. Returns false for a file that cannot be read. */
    static boolean in(byte[] classFile) {
        ClassReader reader;
        try {
            reader = new ClassReader(classFile);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            // The class loader reports the error when it loads the class.
            return false;
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
