package io.penstock.http;

import java.util.ArrayList;
import java.util.List;

/** Field lines that somebody composes: the fields of a response, or of a request that did not come as bytes. */
public final class FieldList implements Fields {
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    @Override
    public int size() {
        return names.size();
    }

    @Override
    public String name(int index) {
        return names.get(index);
    }

    @Override
    public String value(int index) {
        return values.get(index);
    }

    /** Adds a line; lines with the same name stay. The caller has checked name and value (see {@link FieldSyntax}). */
    public FieldList add(String name, String value) {
        names.add(name);
        values.add(value);
        return this;
    }

    /** Replaces every line of that name by one, at the place of the first. */
    public FieldList set(String name, String value) {
        int first = -1;
        for (int i = 0; i < names.size(); i++) {
            if (isNamed(i, name)) {
                first = i;
                break;
            }
        }
        if (first < 0) {
            return add(name, value);
        }
        values.set(first, value);
        for (int i = names.size() - 1; i > first; i--) {
            if (isNamed(i, name)) {
                names.remove(i);
                values.remove(i);
            }
        }
        return this;
    }

    public void remove(String name) {
        for (int i = names.size() - 1; i >= 0; i--) {
            if (isNamed(i, name)) {
                names.remove(i);
                values.remove(i);
            }
        }
    }

    public void clear() {
        names.clear();
        values.clear();
    }
}
