// Loaded first: without them Nest's CommonJS packages meet a require cycle under jest's ESM loader.
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
import './worker-threads.js';
