package io.penstock.migration;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Replaces the calls of {@linkplain RemovedMember removed methods} in one archive that has been converted to {@code jakarta.servlet}. A
 * class may inherit such a method from the API through other classes of the archive. So all classes are read before the first is changed.
 * Only classes with a replaced call are written again; all else is copied as it is. Thread: one.
 */
final class CallReplacement {
    private static final String CLASSES = "WEB-INF/classes/";
    private static final Pattern LIBRARY = Pattern.compile("WEB-INF/lib/[^/]+\\.jar");
    private static final Pattern API = Pattern.compile("jakarta/servlet/((http|annotation|descriptor)/)?[^/]+");
    private static final String HTTP_SERVLET = "jakarta/servlet/http/HttpServlet";
    private static final String SERVICE = "service";
    private static final String SERVICE_DESCRIPTOR =
            "(Ljakarta/servlet/ServletRequest;Ljakarta/servlet/ServletResponse;)V";

    // Java Virtual Machine Specification, table 4.4-A
    private static final int CONSTANT_CLASS = 7;
    private static final int CONSTANT_METHOD = 10;
    private static final int CONSTANT_INTERFACE_METHOD = 11;

    /** A file of the archive. {@code library} is empty for the classes of the archive itself. */
    private record Member(String library, String name) {}

    /** A class of the archive: its superclass and interfaces, and its methods that matter here, by name and descriptor. */
    private record Type(List<String> parents, Set<String> methods) {}

    private final Map<String, Type> types = new HashMap<>();

    /** The classes that may have to be changed. */
    private final Set<Member> concerned = new HashSet<>();

    /** The removed methods and types that are still in use, and the classes that use them. */
    private final Map<String, Set<String>> left = new TreeMap<>();

    void replaceIn(Path archive) throws IOException {
        Path changed = Files.createTempFile(archive.toAbsolutePath().getParent(), "converting-", ".war");
        try (ZipFile zip = ZipFile.builder().setPath(archive).get()) {
            read("", zip);
            boolean isChanged;
            try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(changed)) {
                isChanged = copy("", zip, out);
            }
            if (isChanged) {
                Files.move(changed, archive, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(changed);
        }
    }

    /** What is still in use, each with a class that uses it. Empty if there is nothing. */
    String left() {
        return left.entrySet().stream()
                .map(use -> {
                    int others = use.getValue().size() - 1;
                    return use.getKey() + " (in " + use.getValue().iterator().next()
                            + (others == 0 ? ")" : " and " + others + " more)");
                })
                .collect(Collectors.joining(", "));
    }

    // ---- the files of the archive

    private void read(String library, ZipFile zip) throws IOException {
        for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
            if (isClass(library, entry)) {
                read(new Member(library, entry.getName()), content(zip, entry));
            } else if (isLibrary(library, entry)) {
                try (ZipFile nested = opened(content(zip, entry))) {
                    read(entry.getName(), nested);
                }
            }
        }
    }

    /** Returns whether a class has changed. */
    private boolean copy(String library, ZipFile zip, ZipArchiveOutputStream out) throws IOException {
        Set<String> libraries = concerned.stream().map(Member::library).collect(Collectors.toSet());
        boolean isChanged = false;
        for (ZipArchiveEntry entry : Collections.list(zip.getEntriesInPhysicalOrder())) {
            byte[] changed = null;
            if (concerned.contains(new Member(library, entry.getName()))) {
                changed = replaced(library, content(zip, entry));
            } else if (isLibrary(library, entry) && libraries.contains(entry.getName())) {
                changed = replacedLibrary(entry.getName(), content(zip, entry));
            }
            if (changed == null) {
                out.addRawArchiveEntry(entry, zip.getRawInputStream(entry));
            } else {
                isChanged = true;
                write(entry, changed, out);
            }
        }
        return isChanged;
    }

    private byte @Nullable [] replacedLibrary(String library, byte[] content) throws IOException {
        SeekableInMemoryByteChannel changed = new SeekableInMemoryByteChannel();
        boolean isChanged;
        try (ZipFile zip = opened(content);
                ZipArchiveOutputStream out = new ZipArchiveOutputStream(changed)) {
            isChanged = copy(library, zip, out);
        }
        return isChanged ? Arrays.copyOf(changed.array(), (int) changed.size()) : null;
    }

    private static boolean isClass(String library, ZipArchiveEntry entry) {
        String name = entry.getName();
        return name.endsWith(".class") && (!library.isEmpty() || name.startsWith(CLASSES));
    }

    private static boolean isLibrary(String library, ZipArchiveEntry entry) {
        return library.isEmpty() && LIBRARY.matcher(entry.getName()).matches();
    }

    private static ZipFile opened(byte[] content) throws IOException {
        return ZipFile.builder()
                .setSeekableByteChannel(new SeekableInMemoryByteChannel(content))
                .get();
    }

    private static byte[] content(ZipFile zip, ZipArchiveEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private static void write(ZipArchiveEntry entry, byte[] content, ZipArchiveOutputStream out) throws IOException {
        ZipArchiveEntry written = new ZipArchiveEntry(entry.getName());
        written.setTime(entry.getTime());
        written.setMethod(entry.getMethod());
        written.setSize(content.length);
        if (entry.getMethod() == ZipEntry.STORED) {
            CRC32 sum = new CRC32();
            sum.update(content);
            written.setCrc(sum.getValue());
        }
        out.putArchiveEntry(written);
        out.write(content);
        out.closeArchiveEntry();
    }

    // ---- what the classes use

    private void read(Member member, byte[] classFile) {
        ClassReader type;
        Set<String> methods = new HashSet<>();
        try {
            type = new ClassReader(classFile);
            type.accept(new Methods(methods), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (RuntimeException e) {
            return; // not a valid class file, or one for a newer version of Java
        }
        // If the archive contains the API, these classes are never used.
        if (API.matcher(type.getClassName()).matches()) {
            return;
        }
        List<String> parents = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperName() != null) {
            parents.add(type.getSuperName());
        }
        types.put(type.getClassName(), new Type(parents, methods));
        if (!uses(type, (removed, owner) -> true).isEmpty()) {
            concerned.add(member);
        }
    }

    /** Collects the methods of a class that matter here. */
    private static final class Methods extends ClassVisitor {
        private final Set<String> found;

        Methods(Set<String> found) {
            super(Opcodes.ASM9);
            this.found = found;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            if (RemovedMember.of(name, descriptor) != null || isService(name, descriptor)) {
                found.add(name + descriptor);
            }
            return null;
        }
    }

    private static boolean isService(String name, String descriptor) {
        return name.equals(SERVICE) && descriptor.equals(SERVICE_DESCRIPTOR);
    }

    /** The removed types that a class file names, and its calls of removed methods. */
    private static Set<String> uses(ClassReader type, BiPredicate<RemovedMember, String> isOwner) {
        Set<String> uses = new TreeSet<>();
        char[] buffer = new char[type.getMaxStringLength()];
        for (int i = 1; i < type.getItemCount(); i++) {
            int at = type.getItem(i);
            int tag = at == 0 ? 0 : type.readByte(at - 1);
            if (tag == CONSTANT_CLASS) {
                String name = type.readUTF8(at, buffer);
                if (RemovedMember.TYPES.contains(name)) {
                    uses.add(simpleName(name));
                }
            } else if (tag == CONSTANT_METHOD || tag == CONSTANT_INTERFACE_METHOD) {
                int nameAndType = type.getItem(type.readUnsignedShort(at + 2));
                String name = type.readUTF8(nameAndType, buffer);
                RemovedMember removed = RemovedMember.of(name, type.readUTF8(nameAndType + 2, buffer));
                String owner = type.readClass(at, buffer);
                if (removed != null && isOwner.test(removed, owner)) {
                    uses.add(simpleName(owner) + "." + name);
                }
            }
        }
        return uses;
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('/') + 1);
    }

    /** Whether a type has this member from the API. */
    private boolean has(String type, RemovedMember removed) {
        return removed.isConstructor()
                ? removed.owners().contains(type)
                : reaches(type, removed.owners()::contains, removed.name() + removed.descriptor());
    }

    /**
     * Whether a type, or one of its parents, is wanted.
     *
     * @param method the parents of types with this method are not asked
     */
    private boolean reaches(String name, Predicate<String> wanted, String method) {
        Set<String> seen = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(List.of(name));
        while (!next.isEmpty()) {
            String type = next.remove();
            if (wanted.test(type)) {
                return true;
            }
            Type known = types.get(type);
            if (known != null && seen.add(type) && !known.methods.contains(method)) {
                next.addAll(known.parents);
            }
        }
        return false;
    }

    /** Whether calls of the servlet pass {@code service} of the class itself, or of {@code HttpServlet}. */
    private boolean isServlet(String name) {
        Type known = types.get(name);
        return (known != null && known.methods.contains(SERVICE + SERVICE_DESCRIPTOR))
                || reaches(name, HTTP_SERVLET::equals, SERVICE + SERVICE_DESCRIPTOR);
    }

    // ---- the changed classes

    /** The class file with replaced calls, or null if nothing can be replaced. */
    private byte @Nullable [] replaced(String library, byte[] classFile) {
        ClassReader type = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        Replacing replacing = new Replacing(writer);
        byte[] changed = null;
        try {
            type.accept(replacing, 0);
            if (replacing.hasReplaced) {
                changed = writer.toByteArray();
            }
        } catch (RuntimeException e) {
            changed = null; // a method is invalid, or would become too large
        }
        String place = type.getClassName().replace('/', '.') + (library.isEmpty() ? "" : " of " + library);
        for (String use :
                uses(changed == null ? type : new ClassReader(changed), (removed, owner) -> has(owner, removed))) {
            left.computeIfAbsent(use, none -> new TreeSet<>()).add(place);
        }
        return changed;
    }

    private final class Replacing extends ClassVisitor {
        private boolean hasReplaced;

        /** The superclass of a servlet for one thread that does not have {@code service} itself; null for other classes. */
        private @Nullable String inheritsService;

        private boolean isForOneThread;

        Replacing(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        /**
         * For a servlet with {@code SingleThreadModel}, the former API allows two ways: a pool of servlets, or one servlet whose calls wait for
         * each other. The second needs nothing of a server.
         */
        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                String superName,
                String[] interfaces) {
            List<String> kept = new ArrayList<>(List.of(interfaces));
            isForOneThread = (access & Opcodes.ACC_INTERFACE) == 0
                    && isServlet(name)
                    && kept.remove(RemovedMember.SINGLE_THREAD_MODEL);
            if (isForOneThread) {
                hasReplaced = true;
                inheritsService = superName;
            }
            super.visit(
                    version,
                    access,
                    name,
                    isForOneThread ? null : signature, // it may name the interface
                    superName,
                    kept.toArray(String[]::new));
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean isEntry = isForOneThread && isService(name, descriptor);
            if (isEntry) {
                inheritsService = null;
            }
            return new Calls(super.visitMethod(
                    isEntry ? access | Opcodes.ACC_SYNCHRONIZED : access, name, descriptor, signature, exceptions));
        }

        @Override
        public void visitEnd() {
            if (inheritsService != null) {
                MethodVisitor code = super.visitMethod(
                        Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED, SERVICE, SERVICE_DESCRIPTOR, null, new String[] {
                            "jakarta/servlet/ServletException", "java/io/IOException"
                        });
                code.visitCode();
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ALOAD, 1);
                code.visitVarInsn(Opcodes.ALOAD, 2);
                code.visitMethodInsn(Opcodes.INVOKESPECIAL, inheritsService, SERVICE, SERVICE_DESCRIPTOR, false);
                code.visitInsn(Opcodes.RETURN);
                code.visitMaxs(0, 0);
                code.visitEnd();
            }
            super.visitEnd();
        }

        private final class Calls extends MethodVisitor {
            Calls(MethodVisitor next) {
                super(Opcodes.ASM9, next);
            }

            private @Nullable RemovedMember removed(String owner, String name, String descriptor) {
                RemovedMember removed = RemovedMember.of(name, descriptor);
                return removed != null && has(owner, removed) ? removed : null;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
                RemovedMember removed = removed(owner, name, descriptor);
                if (removed == null || removed.replacement() == null) {
                    super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
                } else {
                    hasReplaced = true;
                    removed.replacement().write(mv, new RemovedMember.Call(opcode, owner, ofInterface));
                }
            }

            /** Renames the methods of references such as {@code response::encodeUrl}. */
            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                Object[] renamed = arguments.clone();
                for (int i = 0; i < renamed.length; i++) {
                    if (renamed[i] instanceof Handle handle) {
                        RemovedMember removed = removed(handle.getOwner(), handle.getName(), handle.getDesc());
                        if (removed != null && removed.successor() != null) {
                            hasReplaced = true;
                            renamed[i] = new Handle(
                                    handle.getTag(),
                                    handle.getOwner(),
                                    removed.successor(),
                                    handle.getDesc(),
                                    handle.isInterface());
                        }
                    }
                }
                super.visitInvokeDynamicInsn(name, descriptor, bootstrap, renamed);
            }
        }
    }
}
