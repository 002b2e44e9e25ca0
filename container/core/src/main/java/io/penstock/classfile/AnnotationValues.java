package io.penstock.classfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts an annotation's values into a map. An array becomes a list, and a nested annotation becomes a map. An enum constant becomes its
 * name, and a class becomes its binary name.
 */
public final class AnnotationValues extends AnnotationVisitor {
    private final Map<String, Object> values;

    public AnnotationValues(Map<String, Object> values) {
        super(Opcodes.ASM9);
        this.values = values;
    }

    private static Object plain(Object value) {
        if (value instanceof Type type) {
            return type.getClassName();
        }
        if (value instanceof int[] numbers) {
            List<Object> list = new ArrayList<>();
            for (int number : numbers) {
                list.add(number);
            }
            return list;
        }
        return value;
    }

    @Override
    public void visit(String name, Object value) {
        values.put(name, plain(value));
    }

    @Override
    public void visitEnum(String name, String descriptor, String value) {
        values.put(name, value);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String name, String descriptor) {
        Map<String, Object> nested = new HashMap<>();
        values.put(name, nested);
        return new AnnotationValues(nested);
    }

    @Override
    public AnnotationVisitor visitArray(String name) {
        List<Object> elements = new ArrayList<>();
        values.put(name, elements);
        return new Elements(elements);
    }

    /** Puts the elements of an array in an annotation into a list. The elements have no names. */
    private static final class Elements extends AnnotationVisitor {
        private final List<Object> elements;

        Elements(List<Object> elements) {
            super(Opcodes.ASM9);
            this.elements = elements;
        }

        @Override
        public void visit(@Nullable String name, Object value) {
            elements.add(plain(value));
        }

        @Override
        public void visitEnum(@Nullable String name, String descriptor, String value) {
            elements.add(value);
        }

        @Override
        public AnnotationVisitor visitAnnotation(@Nullable String name, String descriptor) {
            Map<String, Object> nested = new HashMap<>();
            elements.add(nested);
            return new AnnotationValues(nested);
        }
    }
}
