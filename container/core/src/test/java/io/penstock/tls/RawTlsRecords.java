package io.penstock.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts or decrypts the records of a {@link RawTlsClient}. The client uses one object for the records that it sends, and another object
 * for the records that it receives. The cipher is AES-128-GCM (RFC 8446 section 5.2, RFC 5288 section 3).
 */
final class RawTlsRecords {
    static final byte CHANGE_CIPHER_SPEC = 20;
    static final byte ALERT = 21;
    static final byte HANDSHAKE = 22;
    static final byte DATA = 23;

    private static final int HEAD = 5;
    private static final int TAG = 16;
    private static final int EXPLICIT_NONCE = 8;

    private final boolean isTls13;
    private final byte[] key;
    private final byte[] iv;
    private long number;

    /** The type and the content of a record. */
    record Content(byte type, byte[] bytes) {}

    /** @param iv the initialisation vector: 12 bytes in TLS 1.3, and 4 bytes in TLS 1.2 */
    RawTlsRecords(boolean isTls13, byte[] key, byte[] iv) {
        this.isTls13 = isTls13;
        this.key = key;
        this.iv = iv;
    }

    static byte[] plain(byte type, byte... content) {
        return ByteBuffer.allocate(HEAD + content.length)
                .put(head(type, content.length))
                .put(content)
                .array();
    }

    private static byte[] head(byte type, int length) {
        return ByteBuffer.allocate(HEAD)
                .put(type)
                .put(new byte[] {3, 3})
                .putShort((short) length)
                .array();
    }

    /** Returns an encrypted record with the given content. The length of the content is not checked. */
    byte[] seal(byte type, byte... content) {
        if (isTls13) {
            byte[] inner = ByteBuffer.allocate(content.length + 1)
                    .put(content)
                    .put(type)
                    .array();
            return sealInner(inner);
        }
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce(number), head(type, content.length), content);
        ByteBuffer record = ByteBuffer.allocate(HEAD + EXPLICIT_NONCE + sealed.length);
        record.put(head(type, EXPLICIT_NONCE + sealed.length)).putLong(number).put(sealed);
        number++;
        return record.array();
    }

    /** Returns an encrypted record of TLS 1.3. The given bytes include the type and the padding. */
    byte[] sealInner(byte... inner) {
        byte[] head = head(DATA, inner.length + TAG);
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce(number), head, inner);
        number++;
        return ByteBuffer.allocate(HEAD + sealed.length).put(head).put(sealed).array();
    }

    /**
     * Decrypts a record.
     *
     * @param head the head of the record
     * @param sealed the encrypted bytes of the record
     */
    Content open(byte[] head, byte[] sealed) {
        if (isTls13) {
            byte[] inner = cipher(Cipher.DECRYPT_MODE, nonce(number), head, sealed);
            number++;
            int end = inner.length - 1;
            while (inner[end] == 0) {
                end--;
            }
            return new Content(inner[end], Arrays.copyOf(inner, end));
        }
        ByteBuffer all = ByteBuffer.wrap(sealed);
        long nonce = all.getLong();
        byte[] rest = new byte[all.remaining()];
        all.get(rest);
        byte[] content = cipher(Cipher.DECRYPT_MODE, nonce(nonce), head(head[0], rest.length - TAG), rest);
        number++;
        return new Content(head[0], content);
    }

    private byte[] nonce(long number) {
        if (!isTls13) {
            return ByteBuffer.allocate(12).put(iv).putLong(number).array();
        }
        ByteBuffer nonce = ByteBuffer.wrap(iv.clone());
        return nonce.putLong(4, nonce.getLong(4) ^ number).array();
    }

    private byte[] cipher(int mode, byte[] nonce, byte[] head, byte[] bytes) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG, nonce));
            if (!isTls13) {
                cipher.updateAAD(ByteBuffer.allocate(8).putLong(number).array());
            }
            cipher.updateAAD(head);
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
