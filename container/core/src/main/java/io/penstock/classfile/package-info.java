/** Reads information from class files. No class is loaded for this. */
@NullMarked
package io.penstock.classfile;

import org.jspecify.annotations.NullMarked;
