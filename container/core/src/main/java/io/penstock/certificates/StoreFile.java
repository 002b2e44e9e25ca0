package io.penstock.certificates;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import org.jspecify.annotations.Nullable;

/** Opens key stores in the formats PKCS#12 and JKS. */
final class StoreFile {
    private static final int JKS_MAGIC = 0xFEEDFEED;

    private StoreFile() {}

    /** Whether the bytes begin like a PKCS#12 or JKS file. */
    static boolean isStore(byte[] bytes) {
        return bytes.length > 4 && (bytes[0] == Der.SEQUENCE || isJks(bytes));
    }

    /** @throws TlsSetupException if the bytes do not begin like a key store */
    static void require(Path file, byte[] bytes) throws TlsSetupException {
        if (!isStore(bytes)) {
            throw TlsSetupException.of(file, "is neither PKCS#12 nor JKS");
        }
    }

    private static boolean isJks(byte[] bytes) {
        int magic = 0;
        for (int i = 0; i < 4; i++) {
            magic = magic << 8 | bytes[i] & 0xFF;
        }
        return magic == JKS_MAGIC;
    }

    /**
     * @param chars the password of the key store; null if the key store has no password
     * @param password creates the exception for a wrong password
     */
    static KeyStore open(Path file, byte[] bytes, char @Nullable [] chars, Password password) throws TlsSetupException {
        require(file, bytes);
        try {
            KeyStore store = KeyStore.getInstance(isJks(bytes) ? "JKS" : "PKCS12");
            store.load(new ByteArrayInputStream(bytes), chars);
            return store;
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw password.wrong(file, e);
            }
            throw TlsSetupException.of(file, "cannot be read as a key store: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw TlsSetupException.of(file, "cannot be read as a key store: " + e.getMessage(), e);
        }
    }
}
