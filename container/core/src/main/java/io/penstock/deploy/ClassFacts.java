package io.penstock.deploy;

import io.penstock.classfile.AnnotationValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Facts about a class, read from its class file without loading the class.
 *
 * @param name the binary name, such as {@code com.example.Hello$Inner}
 * @param superName the binary name of the super class; null for {@code java.lang.Object}
 * @param interfaces the binary names of the interfaces that the class itself declares
 * @param annotations the binary names of the annotations on the class, its fields and its methods
 * @param declared the values of the annotations on the class itself. The key is the binary name of the annotation
 */
record ClassFacts(
        String name,
        @Nullable String superName,
        List<String> interfaces,
        Set<String> annotations,
        Map<String, Map<String, Object>> declared) {

    /**
     * Reads a class file.
     *
     * @throws IllegalArgumentException if the file is damaged, or if its class file version is newer than this container supports
     */
    static ClassFacts read(byte[] classFile) {
        try {
            Collector collector = new Collector();
            new ClassReader(classFile)
                    .accept(collector, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return collector.facts();
        } catch (ArrayIndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("damaged class file", e);
        }
    }

    /** Collects the facts during the reading of the class file. */
    private static final class Collector extends ClassVisitor {
        private String name = "";
        private @Nullable String superName;
        private List<String> interfaces = List.of();
        private final Set<String> annotations = new HashSet<>();
        private final Map<String, Map<String, Object>> declared = new HashMap<>();

        Collector() {
            super(Opcodes.ASM9);
        }

        ClassFacts facts() {
            return new ClassFacts(name, superName, interfaces, annotations, declared);
        }

        @Override
        public void visit(
                int version,
                int access,
                String internalName,
                @Nullable String signature,
                @Nullable String internalSuper,
                String @Nullable [] internalInterfaces) {
            name = binary(internalName);
            superName = internalSuper == null ? null : binary(internalSuper);
            List<String> names = new ArrayList<>();
            if (internalInterfaces != null) {
                for (String internal : internalInterfaces) {
                    names.add(binary(internal));
                }
            }
            interfaces = List.copyOf(names);
        }

        private static String binary(String internalName) {
            return internalName.replace('/', '.');
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            Map<String, Object> values = new HashMap<>();
            String type = note(descriptor);
            declared.put(type, values);
            return new AnnotationValues(values);
        }

        private String note(String descriptor) {
            String type = Type.getType(descriptor).getClassName();
            annotations.add(type);
            return type;
        }

        @Override
        public FieldVisitor visitField(
                int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
            return new FieldVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    note(annotation);
                    return null;
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
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    note(annotation);
                    return null;
                }
            };
        }
    }
}
