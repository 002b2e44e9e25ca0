package io.penstock.http;

import java.util.Arrays;
import java.util.Objects;

/** A list of field lines for a response, or for a request that was not parsed from bytes. */
public final class FieldList implements Fields {
    private static final String[] NONE = {};
    private static final int FIRST = 8; // four field lines

    private String[] texts = NONE; // name, value, name, value
    private int size;

    /** Makes a list with the same lines. */
    public static FieldList copyOf(Fields fields) {
        FieldList copy = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            copy.add(fields.name(i), fields.value(i));
        }
        return copy;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String name(int index) {
        return texts[Objects.checkIndex(index, size) * 2];
    }

    @Override
    public String value(int index) {
        return texts[Objects.checkIndex(index, size) * 2 + 1];
    }

    /** Adds a line, and keeps other lines with the same name. The caller has checked the name and the value (see {@link FieldSyntax}). */
    public FieldList add(String name, String value) {
        int at = size * 2;
        if (at == texts.length) {
            texts = Arrays.copyOf(texts, Math.max(FIRST, at * 2));
        }
        texts[at] = name;
        texts[at + 1] = value;
        size++;
        return this;
    }

    /** Replaces all lines with this name by one line, at the position of the first line. */
    public FieldList set(String name, String value) {
        for (int i = 0; i < size; i++) {
            if (isNamed(i, name)) {
                texts[i * 2 + 1] = value;
                remove(name, i + 1);
                return this;
            }
        }
        return add(name, value);
    }

    public void remove(String name) {
        remove(name, 0);
    }

    /** Removes the lines with this name, beginning at line {@code from}. */
    private void remove(String name, int from) {
        int kept = from;
        for (int i = from; i < size; i++) {
            if (!isNamed(i, name)) {
                texts[kept * 2] = texts[i * 2];
                texts[kept * 2 + 1] = texts[i * 2 + 1];
                kept++;
            }
        }
        size = kept;
    }

    public void clear() {
        size = 0;
    }
}
