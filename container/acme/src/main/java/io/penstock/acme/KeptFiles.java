package io.penstock.acme;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder for the files of one certificate authority. It contains the key of the server's account and the signed certificate. Only the
 * operating system user of the server can read the folder. A file is written under another name, forced to the disk, and then renamed. So a
 * file is never incomplete.
 *
 * <p>Thread: any thread, but only one at a time. This object owns a lock on the folder. Because of the lock, other servers cannot use the
 * folder.
 */
final class KeptFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeptFiles.class);

    private static final String ACCOUNT = "account.pem";
    private static final String LOCK = "lock";
    private static final String PARTIAL = ".partial";
    private static final Set<PosixFilePermission> OWNER_ENTERS = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER_READS = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final byte[] SAMPLE = "a pair of keys".getBytes(StandardCharsets.US_ASCII);

    /**
     * The folders that this process has locked. The lock file of such a folder must not be opened again: on POSIX systems, the close of a
     * second channel would release the lock.
     */
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Path real;
    private final FileChannel lock;

    private KeptFiles(Path folder, Path real, FileChannel lock) {
        this.folder = folder;
        this.real = real;
        this.lock = lock;
    }

    /**
     * Makes the folder if it is missing, and locks it.
     *
     * @throws IOException if the folder cannot be used. The message is one line, which names the folder
     */
    static KeptFiles open(Path folder) throws IOException {
        try {
            Files.createDirectories(folder, ownerOnly(folder, OWNER_ENTERS));
        } catch (FileAlreadyExistsException e) {
            throw new IOException(folder + " is not a folder", e);
        } catch (IOException e) {
            throw new IOException("the folder " + folder + " cannot be made: " + reason(e), e);
        }
        if (isPosix(folder) && Files.getPosixFilePermissions(folder).stream().anyMatch(OTHERS_WRITE::contains)) {
            throw new IOException("others can write to " + folder + ", and could replace keys there");
        }
        Path real = folder.toRealPath();
        if (!OURS.add(real)) {
            throw inUse(folder);
        }
        try {
            return new KeptFiles(folder, real, locked(folder));
        } catch (IOException | RuntimeException e) {
            OURS.remove(real);
            throw e;
        }
    }

    private static FileChannel locked(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly(folder, OWNER_READS));
        } catch (IOException e) {
            throw new IOException("the file " + file + " cannot be written: " + reason(e), e);
        }
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another server of this process has locked {}", folder, e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw inUse(folder);
    }

    private static IOException inUse(Path folder) {
        return new IOException(folder + " is used by another server");
    }

    /** The reason in an operator's words. The message of the JDK's exception is often only the name of the file. */
    private static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        return failure instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(failure.getMessage());
    }

    private static boolean isPosix(Path where) {
        return where.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] ownerOnly(Path where, Set<PosixFilePermission> permissions) {
        return isPosix(where)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Whether the folder contains the key of an account. */
    boolean hasAccount() {
        return Files.exists(folder.resolve(ACCOUNT));
    }

    /**
     * Returns the key of the account. If the folder contains no key, this method makes and stores a new key.
     *
     * @throws IOException if the file cannot be read or written, or does not contain a key pair
     */
    KeyPair account() throws IOException, GeneralSecurityException {
        Path file = folder.resolve(ACCOUNT);
        if (hasAccount()) {
            return read(file);
        }
        KeyPair made = newKeys();
        String text = Pem.block(Pem.PRIVATE_KEY, made.getPrivate().getEncoded())
                + Pem.block(Pem.PUBLIC_KEY, made.getPublic().getEncoded());
        write(file, text);
        return made;
    }

    /** Makes a key pair on the curve P-256. All authorities and all clients support this curve. */
    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static KeyPair read(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        byte[] own = Pem.find(Pem.PRIVATE_KEY, text);
        byte[] known = Pem.find(Pem.PUBLIC_KEY, text);
        if (own == null || known == null) {
            throw damaged(file, null);
        }
        try {
            KeyFactory factory = KeyFactory.getInstance("EC");
            KeyPair pair = new KeyPair(
                    factory.generatePublic(new X509EncodedKeySpec(known)),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(own)));
            requirePair(pair);
            return pair;
        } catch (GeneralSecurityException e) {
            throw damaged(file, e);
        }
    }

    private static void requirePair(KeyPair pair) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(SAMPLE);
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(SAMPLE);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("the two keys are not a pair");
        }
    }

    private static IOException damaged(Path file, @Nullable Throwable cause) {
        return new IOException(
                file + " is not a key of an account in the form of this server; delete it to make a new account",
                cause);
    }

    /** @param file the target file, which must be in the folder */
    void write(Path file, String text) throws IOException {
        Path partial = folder.resolve(file.getFileName() + PARTIAL);
        // A partial file can exist if an earlier process ended while it wrote the file.
        Files.deleteIfExists(partial);
        try (FileChannel channel = FileChannel.open(
                partial,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(folder, OWNER_READS))) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        if (isPosix(folder)) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                // This call writes the new name to the disk.
                entries.force(true);
            }
        }
    }

    @Override
    public void close() {
        if (!lock.isOpen()) {
            return;
        }
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("The lock of {} was not closed cleanly: {}", folder, e.toString());
        } finally {
            OURS.remove(real);
        }
    }
}
