/** Information from class files, read without loading a class. */
@NullMarked
package io.penstock.classfile;

import org.jspecify.annotations.NullMarked;
