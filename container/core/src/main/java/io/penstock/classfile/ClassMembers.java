package io.penstock.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The fields, methods and annotations of one class, as its class file declares them. Annotations are included even if their own classes are
 * missing.
 *
 * @param annotations the annotations of the class itself: the values of each annotation, by the annotation's binary name
 */
public record ClassMembers(Map<String, Map<String, Object>> annotations, List<Member> fields, List<Member> methods) {
    public static final ClassMembers NONE = new ClassMembers(Map.of(), List.of(), List.of());

    public ClassMembers {
        annotations = Map.copyOf(annotations);
        fields = List.copyOf(fields);
        methods = List.copyOf(methods);
    }

    /**
     * A field or a method. Constructors are methods, too.
     *
     * @param access the flags of the class file, with the values of {@code java.lang.reflect.Modifier}
     * @param annotations the values of each annotation, by the annotation's binary name
     */
    public record Member(String name, String descriptor, int access, Map<String, Map<String, Object>> annotations) {
        public Member {
            annotations = Map.copyOf(annotations);
        }

        /** The number of the method's parameters. */
        public int parameters() {
            return Type.getArgumentCount(descriptor);
        }

        /** Whether this member describes {@code method}, a method of the loaded class. */
        public boolean describes(Method method) {
            return method.getName().equals(name)
                    && Type.getMethodDescriptor(method).equals(descriptor);
        }
    }

    /**
     * Reads the class file of a loaded class. Returns {@link #NONE} if there is no class file, for example for a generated class.
     *
     * @param wanted returns true for the binary names of the annotations to read
     * @throws IllegalArgumentException if the file is damaged, or its class-file version is too new for the container
     */
    public static ClassMembers of(Class<?> type, Predicate<String> wanted) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        ClassLoader loader = type.getClassLoader();
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            return in == null ? NONE : read(in.readAllBytes(), wanted);
        }
    }

    /** Reads the bytes of a class file. */
    public static ClassMembers read(byte[] classFile, Predicate<String> wanted) {
        try {
            Collector collector = new Collector(wanted);
            new ClassReader(classFile)
                    .accept(collector, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return new ClassMembers(collector.annotations, collector.fields, collector.methods);
        } catch (ArrayIndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("damaged class file", e);
        }
    }

    /** Collects the members that the class reader reports. */
    private static final class Collector extends ClassVisitor {
        private final Predicate<String> wanted;
        private final Map<String, Map<String, Object>> annotations = new HashMap<>();
        private final List<Member> fields = new ArrayList<>();
        private final List<Member> methods = new ArrayList<>();

        Collector(Predicate<String> wanted) {
            super(Opcodes.ASM9);
            this.wanted = wanted;
        }

        private @Nullable AnnotationVisitor collect(String descriptor, Map<String, Map<String, Object>> into) {
            String type = Type.getType(descriptor).getClassName();
            if (!wanted.test(type)) {
                return null;
            }
            Map<String, Object> values = new HashMap<>();
            into.put(type, values);
            return new AnnotationValues(values);
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return collect(descriptor, annotations);
        }

        @Override
        public FieldVisitor visitField(
                int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
            Map<String, Map<String, Object>> own = new HashMap<>();
            return new FieldVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return collect(annotation, own);
                }

                @Override
                public void visitEnd() {
                    fields.add(new Member(field, descriptor, access, own));
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            Map<String, Map<String, Object>> own = new HashMap<>();
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return collect(annotation, own);
                }

                @Override
                public void visitEnd() {
                    methods.add(new Member(method, descriptor, access, own));
                }
            };
        }
    }
}
